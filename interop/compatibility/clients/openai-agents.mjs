import { MCPServerStreamableHttp } from '@openai/agents';

export async function connect({ url, token, timeout }) {
  const server = new MCPServerStreamableHttp({
    url,
    name: 'gavel',
    requestInit: { headers: { Authorization: `Bearer ${token}` } },
    ...(timeout ? { clientSessionTimeoutSeconds: timeout / 1000, timeout } : {}),
  });
  await server.connect();
  return {
    tools: async () => (await server.listTools()).map(({ name }) => name),
    call: (name, args) => server.callTool(name, args),
    close: () => server.close(),
  };
}
