// The newest official client over a command's standard input and output: node newest-command.mjs COMMAND ARG...
//
// Connects with the newest MCP version that the command supports, listens for changes of the tool list, lists the tools, calls
// one and prints the result as one line of JSON.
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const [command, ...args] = process.argv.slice(2);
const client = new Client({ name: 'gavel-interop', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
await client.connect(new StdioClientTransport({ command, args, env: process.env, stderr: 'inherit' }));
const subscription = await client.listen({ toolsListChanged: true });
const { tools } = await client.listTools();
const name = tools.map((tool) => tool.name).find((each) => each.endsWith('era'));
const { content } = await client.callTool({ name, arguments: {} });
await subscription.close();
console.log(JSON.stringify({ version: client.getNegotiatedProtocolVersion(), name, said: content[0].text }));
await client.close();
