// The client that the official conformance suite starts for its client scenarios: a Gavel bridge, and an MCP client of its
// topic that makes the calls of the scenario. The suite passes the URL of its server as the last argument and the scenario
// in $MCP_CONFORMANCE_SCENARIO. conformance.mjs sets the other variables.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { connected } from './newest-client.mjs';

const PATIENCE_MS = 40_000;
const { MCP_CONFORMANCE_SCENARIO: scenario, MCP_CONFORMANCE_CONTEXT: context } = process.env;
const { CONFORMANCE_GAVEL, CONFORMANCE_BRIDGES, CONFORMANCE_TOPIC: topic } = process.env;
const { CONFORMANCE_HOST_TOKEN: token, GAVEL_URL: gateway } = process.env;
const server = process.argv.at(-1);

// Starts or stops a bridge in the process of a test.
async function borrowed(method) {
  const response = await fetch(CONFORMANCE_BRIDGES, {
    method,
    body: JSON.stringify({ gateway, topic, name: 'server', token: process.env.GAVEL_TOKEN, url: server }),
  });
  if (!response.ok) {
    throw new Error('the bridge is not up');
  }
}

function bridge() {
  if (CONFORMANCE_BRIDGES) {
    return { up: borrowed('POST'), end: () => borrowed('DELETE') };
  }
  const [program, ...args] = JSON.parse(CONFORMANCE_GAVEL);
  const child = spawn(program, [...args, 'bridge', '--topic', topic, '--name', 'server', '--url', server], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const up = new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => line.startsWith("connected '") && resolve());
    createInterface({ input: child.stderr }).on('line', (line) => {
      console.error(line);
      // A server that requires a login would also refuse the next attempt.
      if (/\b40[13]\b/.test(line)) {
        reject(new Error(`the bridge cannot connect: ${line}`));
      }
    });
    child.on('exit', () => reject(new Error('the bridge ended')));
    setTimeout(() => reject(new Error('the bridge is not up')), PATIENCE_MS).unref();
  });
  const end = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill();
      await once(child, 'exit');
    }
  };
  return { up, end };
}

const text = (words) => (typeof words === 'string' ? words : JSON.stringify(words));

async function tried(what, work) {
  try {
    console.log(`${what}: ${text(await work())}`);
  } catch (error) {
    console.log(`${what} failed: ${error.message}`);
  }
}

// Returns arguments that match a schema, for tools whose result does not matter.
const fitting = ({ properties = {}, required = [] }) =>
  Object.fromEntries(
    required.map((name) => [
      name,
      { string: 'x', number: 1.5, integer: 1, boolean: true, object: {}, array: [], null: null }[properties[name]?.type] ??
        'x',
    ]),
  );

async function host() {
  const client = await connected(`${gateway}/mcp/${topic}`, token);
  const call = (name, args = {}) => tried(name, () => client.callTool({ name, arguments: args }));
  const tools = (await client.listTools()).tools.filter(({ name }) => !name.startsWith('gavel_'));
  console.log(`tools: ${tools.map(({ name }) => name)}`);
  switch (scenario) {
    case 'tools_call':
      await call('add_numbers', { a: 5, b: 3 });
      break;
    case 'http-custom-headers':
      for (const { name, arguments: args } of JSON.parse(context).toolCalls) {
        await call(name, args);
      }
      break;
    case 'json-schema-2020-12-preservation':
      await call('json_schema_echo', { schema: tools.find(({ name }) => name === 'json_schema_2020_12_tool').inputSchema });
      break;
    case 'http-standard-headers':
      for (const { uri } of (await client.listResources()).resources) {
        await tried(uri, () => client.readResource({ uri }));
      }
      for (const { name } of (await client.listPrompts()).prompts) {
        await tried(name, () => client.getPrompt({ name }));
      }
    // This scenario also calls the tools.
    default:
      for (const { name, inputSchema } of tools) {
        await call(name, fitting(inputSchema));
      }
  }
  await client.close();
}

const { up, end } = bridge();
let outcome = 0;
try {
  await up;
  await host();
} catch (error) {
  console.error(error.message);
  outcome = 1;
} finally {
  await end();
}
process.exit(outcome);
