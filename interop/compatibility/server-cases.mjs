// The cases that every server is tried with. A case gets the server, its topic's reviewer, a client, and 'kill', which ends the
// server's process. It fails by throwing an error.
import { setTimeout as pause } from 'node:timers/promises';
import { within } from './children.mjs';

// The longest time for an answer, in milliseconds.
const LONG = 40_000;
const READY = 90_000;

export const serverCases = [
  {
    name: 'ready',
    title: 'the bridge becomes ready',
    run: ({ reviewer, server }) => reviewer.awaitParticipant(server.name, READY),
  },
  { name: 'list', title: 'tools listed', run: list },
  { name: 'call', title: 'call', run: call },
  { name: 'bad', title: 'call with a bad argument', run: bad },
  { name: 'restart', title: 'call after kill -9 of the server', run: restart },
  { name: 'change', title: 'list change', runs: ({ change }) => change !== undefined, run: change },
];

// A list that a slow server has not answered yet is not complete. Gavel then reports a changed list.
async function list({ client, server }) {
  const deadline = Date.now() + LONG;
  let names = await tools(client);
  while (!names.includes(server.tool) && Date.now() < deadline) {
    await pause(500);
    names = await tools(client);
  }
  ensure(names.includes(server.tool), `'${server.tool}' is not among the ${names.length} tools`);
}

async function call({ client, server }) {
  const given = { name: server.tool, arguments: server.arguments };
  const answer = await client.callTool(given, undefined, { timeout: LONG }).catch((error) => error);
  // Codes of Gavel: the server did not answer.
  ensure(!(answer.code <= -31000 && answer.code > -32000), answer.message);
  const seen = answer.message ?? JSON.stringify(answer);
  ensure(server.answer.test(seen), `the answer is ${seen}`);
}

// A server may refuse the arguments, or ignore them. It must answer, and then still list its tools.
async function bad({ client, server }) {
  const given = { name: server.badTool ?? server.tool, arguments: server.bad ?? { unexpected: { deep: [1] } } };
  const answer = await client.callTool(given, undefined, { timeout: LONG }).catch((error) => error);
  ensure(!/timed out/i.test(answer.message ?? ''), 'no answer');
  ensure((await tools(client)).includes(server.tool), 'the server does not list its tools any more');
}

async function restart(test) {
  await test.kill();
  const deadline = Date.now() + READY;
  for (;;) {
    try {
      return await call(test);
    } catch (error) {
      if (Date.now() > deadline) {
        throw error;
      }
      await pause(500);
    }
  }
}

// The notification can also be about an earlier change: the server was just restarted.
async function change({ client, server, changed }) {
  let told = changed();
  await client.callTool({ name: server.change.tool, arguments: {} });
  for (;;) {
    await within(LONG, told, 'no notification about a changed list');
    told = changed();
    if ((await tools(client)).includes(server.change.adds)) {
      return;
    }
  }
}

const tools = async (client) => (await client.listTools(undefined, { timeout: LONG })).tools.map(({ name }) => name);

function ensure(condition, message) {
  if (!condition) {
    throw new Error(message);
  }
}
