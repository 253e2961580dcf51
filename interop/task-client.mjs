// Makes a call as a task, with the newest client of the official SDK and its Tasks extension. Each step is a separate process:
//
//   node task-client.mjs URL TOKEN call TOOL ARGUMENTS    starts a call, prints a reference to its task and ends
//   node task-client.mjs URL TOKEN state REFERENCE        prints the state of the task
//   node task-client.mjs URL TOKEN settle REFERENCE       waits until the task has ended and prints its outcome
//   node task-client.mjs URL TOKEN cancel REFERENCE       cancels the task
//
// Each step prints one line of JSON: {"reference": …}, {"result": …}, {"state": …}, {"outcome": …}, {"cancelled": true} or
// {"error": …}.
import { createTaskSessionFromClient } from '@modelcontextprotocol/ext-tasks/client';
import { clientInfo, connected } from './newest-client.mjs';

const VERSION = '2026-07-28';
const [url, token, what, subject, given] = process.argv.slice(2);
const say = (event) => console.log(JSON.stringify(event));

// The SDK's client does not support tasks. The extension expects its host to send these requests.
async function rawDispatch(request, { signal, context } = {}) {
  const { method, params } = request;
  const name = params.name ?? params.uri ?? params.taskId;
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      Authorization: `Bearer ${token}`,
      'MCP-Protocol-Version': VERSION,
      'Mcp-Method': method,
      ...(name === undefined ? {} : { 'Mcp-Name': name }),
      ...context?.headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: crypto.randomUUID(), ...request }),
    signal,
  });
  const text = await response.text();
  const messages = response.headers.get('content-type')?.startsWith('text/event-stream')
    ? [...text.matchAll(/^data: ?(.+)$/gm)].map(([, data]) => JSON.parse(data))
    : [JSON.parse(text)];
  const { result, error } = messages.find((message) => 'result' in message || 'error' in message);
  return error ? { kind: 'error', error } : { kind: 'result', result };
}

const client = await connected(url, token, { capabilities: {} });
const session = createTaskSessionFromClient(client, {
  endpointId: 'gavel',
  rawDispatch,
  v2RequestFraming: { protocolVersion: VERSION, clientInfo, clientCapabilities: {} },
});
try {
  switch (what) {
    case 'call': {
      const execution = await session.callTool(subject, JSON.parse(given));
      if (execution.kind === 'task') {
        await execution.handoff((reference) => say({ reference }));
        // Closing the session here could cancel the task before the handoff is complete, so the process exits instead.
        process.exit(0);
      } else {
        say({ result: (await execution.result()).result });
      }
      break;
    }
    case 'state':
      say({ state: (await session.task(JSON.parse(subject).taskId).snapshot()).raw });
      break;
    case 'settle': {
      const execution = await session.resumeTask(JSON.parse(subject));
      const { outcome } = await execution.settle();
      say({ outcome: { status: outcome.status, result: outcome.result, error: outcome.error?.message } });
      break;
    }
    case 'cancel':
      await session.cancelTask(JSON.parse(subject).taskId);
      say({ cancelled: true });
      break;
  }
} catch (error) {
  say({ error: { code: error.code, message: error.message } });
} finally {
  await session.close();
  await client.close();
}
