// Waits until a server lists a tool.
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

export async function listed(url, token, tool) {
  const deadline = Date.now() + 30_000;
  let last;
  while (Date.now() < deadline) {
    const client = new Client({ name: 'gavel-interop', version: '1.0.0' });
    try {
      await client.connect(
        new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { Authorization: `Bearer ${token}` } } }),
      );
      last = (await client.listTools()).tools.map(({ name }) => name);
      if (last.includes(tool)) {
        return;
      }
    } catch (error) {
      last = error;
    } finally {
      await client.close().catch(() => {});
    }
    await pause(200);
  }
  throw new Error(`${url} did not list the tool '${tool}' within 30 s. Last answer: ${last}`);
}
