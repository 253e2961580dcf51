import { MCPClient } from '@mastra/mcp';

export async function connect({ url, token, timeout }) {
  const client = new MCPClient({
    servers: { gavel: { url: new URL(url), requestInit: { headers: { Authorization: `Bearer ${token}` } } } },
    ...(timeout ? { timeout } : {}),
  });
  const tools = await client.listTools();
  return {
    tools: async () => Object.keys(tools),
    call: (name, args) => tools[Object.keys(tools).find((each) => each.endsWith(name))].execute(args, {}),
    close: () => client.disconnect(),
  };
}
