// Runs one JavaScript client, controlled by lines on standard input: node driver.mjs MODULE
//
// MODULE exports connect({url, token, command, timeout}), which returns {tools, call, close}. The settings are environment
// variables: MCP_URL and MCP_TOKEN, or MCP_COMMAND (one word per line), and MCP_TIMEOUT in milliseconds.
//
// An input line has words separated by tabs: an id and 'tools', or an id, 'call', the tool, and one argument with its value.
// Output: {"id", "value"} or {"id", "error"}. java/Driver.java does the same for Java.
import { createHash } from 'node:crypto';
import { createInterface } from 'node:readline';

const { MCP_URL, MCP_TOKEN, MCP_COMMAND, MCP_TIMEOUT } = process.env;
const say = (event) => process.stdout.write(`${JSON.stringify(event)}\n`);
// Some libraries print to standard output.
console.log = console.info = console.debug = console.error;
process.on('unhandledRejection', (error) => console.error('unhandled:', error));

const { connect } = await import(`./${process.argv[2]}.mjs`);
const opening = connect({
  url: MCP_URL,
  token: MCP_TOKEN,
  command: MCP_COMMAND?.split('\n'),
  timeout: MCP_TIMEOUT ? Number(MCP_TIMEOUT) : undefined,
});
opening.catch(() => {});

async function act([id, what, tool, name, value]) {
  try {
    const client = await opening;
    say({
      id,
      value: what === 'tools' ? await client.tools() : result(await client.call(tool, name ? { [name]: value } : {})),
    });
  } catch (error) {
    say({ id, error: [error?.message ?? String(error), error?.cause?.message].filter(Boolean).join(': ') });
  }
}

// Clients return a tool's result in different forms. An image becomes its hash.
function result(given) {
  const parts = typeof given === 'string' ? [{ type: 'text', text: given }] : Array.isArray(given) ? given : given?.content;
  return { isError: given?.isError === true, content: (Array.isArray(parts) ? parts : [given]).map(part) };
}

function part(given) {
  const data = given?.data ?? given?.source?.data ?? url(given?.image_url?.url ?? given?.image ?? given?.url);
  if (typeof data === 'string') {
    return { type: 'image', sha256: createHash('sha256').update(Buffer.from(data, 'base64')).digest('hex') };
  }
  return typeof given?.text === 'string' ? { type: 'text', text: given.text } : { type: 'text', text: JSON.stringify(given) };
}

const url = (text) => (typeof text === 'string' ? text.replace(/^data:[^,]*,/, '') : undefined);

for await (const line of createInterface({ input: process.stdin })) {
  void act(line.split('\t'));
}
await (await opening).close();
process.exit(0);
