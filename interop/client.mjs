// Runs the official TypeScript client, controlled by lines on standard input.
//
//   node client.mjs URL TOKEN           over Streamable HTTP
//   node client.mjs -- COMMAND ARG...   over a command's standard input and output
//
// Each input line is a JSON object with a command. Each output line is a JSON object with a result or an event:
//   {"do": "call", "as": "c1", "name": "echo", "arguments": {...}, "progress": true, "timeout": 60000}
//   {"do": "cancel", "as": "c1"}        aborts the call with an AbortController
//   {"do": "request", "as": "r1", "method": "tools/list", "params": {...}}
//   {"do": "close"}
// -> {"ready": {...}}, {"as": "c1", "progress": {...}}, {"as": "c1", "result": {...}}, {"as": "c1", "error": {...}},
//    {"notification": "notifications/tools/list_changed", "params": {...}}
import { createInterface } from 'node:readline';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ResultSchema } from '@modelcontextprotocol/sdk/types.js';

const say = (event) => process.stdout.write(JSON.stringify(event) + '\n');

const [first, ...rest] = process.argv.slice(2);
const transport =
  first === '--'
    ? new StdioClientTransport({ command: rest[0], args: rest.slice(1), env: process.env, stderr: 'inherit' })
    : new StreamableHTTPClientTransport(new URL(first), {
        requestInit: { headers: { Authorization: `Bearer ${rest[0]}` } },
      });

const client = new Client({ name: 'gavel-interop', version: '1.0.0' }, { capabilities: {} });
client.fallbackNotificationHandler = async ({ method, params }) => say({ notification: method, params });
client.onerror = (error) => say({ complaint: String(error) });
client.onclose = () => say({ closed: true });

const under = new Map();

async function answered(as, work) {
  try {
    say({ as, result: await work });
  } catch (error) {
    say({ as, error: { code: error.code, message: error.message } });
  } finally {
    under.delete(as);
  }
}

async function act(step) {
  switch (step.do) {
    case 'call':
    case 'request': {
      const abort = new AbortController();
      under.set(step.as, abort);
      const options = { signal: abort.signal, timeout: step.timeout ?? 60_000, resetTimeoutOnProgress: true };
      if (step.progress) {
        options.onprogress = (progress) => say({ as: step.as, progress });
      }
      await answered(
        step.as,
        step.do === 'call'
          ? client.callTool({ name: step.name, arguments: step.arguments }, undefined, options)
          : client.request({ method: step.method, params: step.params }, ResultSchema, options),
      );
      break;
    }
    case 'cancel':
      under.get(step.as)?.abort('the user changed their mind');
      break;
    case 'close':
      await transport.terminateSession?.().catch(() => {});
      await client.close();
      process.exit(0);
  }
}

try {
  await client.connect(transport);
} catch (error) {
  say({ failed: String(error) });
  process.exit(1);
}
say({
  ready: { server: client.getServerVersion(), capabilities: client.getServerCapabilities(), instructions: client.getInstructions() },
});
for await (const line of createInterface({ input: process.stdin })) {
  void act(JSON.parse(line));
}
await client.close();
