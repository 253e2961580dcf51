import { MCPClient } from 'mcp-use';

export async function connect({ url, token, timeout }) {
  const client = new MCPClient({ mcpServers: { gavel: { url, headers: { Authorization: `Bearer ${token}` } } } });
  const session = await client.createSession('gavel');
  return {
    tools: async () => (await session.listTools()).map(({ name }) => name),
    call: (name, args) => session.callTool(name, args, timeout ? { timeout } : undefined),
    close: () => client.closeAllSessions(),
  };
}
