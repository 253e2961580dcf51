// Waits until a server lists a tool: node listed.mjs URL TOKEN TOOL
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const [url, token, tool] = process.argv.slice(2);
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
      process.exit(0);
    }
  } catch (error) {
    last = error;
  } finally {
    await client.close().catch(() => {});
  }
  await pause(200);
}
console.error(`${url} does not list the tool '${tool}' after 30 s; the last it said was: ${last}`);
process.exit(1);
