import { MultiServerMCPClient } from '@langchain/mcp-adapters';

export async function connect({ url, token, timeout }) {
  const client = new MultiServerMCPClient({
    mcpServers: {
      gavel: {
        transport: 'http',
        url,
        headers: { Authorization: `Bearer ${token}` },
        ...(timeout ? { defaultToolTimeout: timeout } : {}),
      },
    },
  });
  const tools = await client.getTools();
  return {
    tools: async () => tools.map(({ name }) => name),
    call: (name, args) => tools.find((each) => each.name.endsWith(name)).invoke(args),
    close: () => client.close(),
  };
}
