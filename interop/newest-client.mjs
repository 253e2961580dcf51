// A client of the newest official SDK, connected by the newest version that the server knows.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

export const clientInfo = { name: 'gavel-interop', version: '1.0.0' };

// Whatever it is asked, it accepts: each field with its default, or with something of its type.
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
