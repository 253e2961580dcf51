// A client of the newest official SDK that connects with the newest MCP version that the server supports.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

export const clientInfo = { name: 'gavel-interop', version: '1.0.0' };

// Accepts every elicitation: fills each field with its default, or with a value of its type.
const filled = ({ type, default: given, enum: choices }) =>
  given ?? choices?.[0] ?? { string: 'Alice', boolean: true, integer: 1, number: 1, array: [] }[type];

export async function connected(url, token, { capabilities = { elicitation: { form: {} } } } = {}) {
  const client = new Client(clientInfo, { capabilities, versionNegotiation: { mode: 'auto' } });
  if (capabilities.elicitation) {
    client.setRequestHandler('elicitation/create', ({ params }) => ({
      action: 'accept',
      content: Object.fromEntries(
        Object.entries(params.requestedSchema?.properties ?? {}).map(([name, schema]) => [name, filled(schema)]),
      ),
    }));
  }
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { Authorization: `Bearer ${token}` } } }),
  );
  return client;
}
