// The cases that every client is tried with. A case gets a connection of the client (a 'hurried' one has a short time-out), the
// reviewer, and a text that occurs only in this case's arguments. It fails by throwing an error. If a client does not give up, the
// cases about that return 'waits'.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { within } from './children.mjs';
import { picture } from './picture.mjs';

// How long a case waits for the end of a call, in milliseconds.
const LONG = 100_000;
// How long a case waits until a client gives up that has a short time-out.
const PATIENCE = 40_000;
// The time between a call and the reviewer's decision.
const THINKING = 1_500;

export const clientCases = [
  { name: 'list', title: 'list', run: list },
  { name: 'call', title: 'permitted call', run: permitted },
  { name: 'approved', title: 'approved while the client waits', run: approved },
  { name: 'rejected', title: 'rejected', run: rejected },
  { name: 'retried', title: 'approved after time-out and retry', hurried: true, run: retried },
  { name: 'away', title: 'approved between time-out and retry', hurried: true, run: away },
  { name: 'picture', title: 'picture of 3 MB', run: large },
];

async function list({ client }) {
  const names = await within(LONG, client.tools());
  const missing = ['greet', 'append', 'picture'].filter((tool) => !names.some((name) => name.endsWith(tool)));
  ensure(missing.length === 0, `the client does not list ${missing.join(', ')}`);
}

async function permitted({ client, text }) {
  answers(await within(LONG, client.call('greet', { name: text })), `Hello, ${text}!`);
}

async function approved(test) {
  const { client, text, reviewer } = test;
  const [result] = await meanwhile(client.call('append', { line: text }), async () => {
    await reviewer.awaitOpen(text);
    await pause(THINKING);
    await approveAll(test);
  });
  answers(result, `Added: ${text}`);
  once(test);
}

async function rejected({ client, text, reviewer }) {
  const call = client.call('append', { line: text }).catch((error) => ({ error: error.message, content: [] }));
  const [result] = await meanwhile(call, async () => {
    const [proposal] = await reviewer.awaitOpen(text);
    await pause(THINKING);
    await reviewer.reject(proposal, 'policy', 'not on Fridays');
  });
  const seen = JSON.stringify(result);
  ensure(seen.includes('not on Fridays') && seen.includes('reviewer'), `the client does not show the reason, but ${seen}`);
}

// The client gives up and calls again. The reviewer approves what is open then.
async function retried(test) {
  return calledAgain(test, async () => {});
}

// The client gives up. The reviewer approves what is still open, and then the client calls again.
async function away(test) {
  return calledAgain(test, async () => {
    await pause(THINKING);
    await approveAll(test);
    await pause(THINKING);
  });
}

async function calledAgain(test, between) {
  const { client, text } = test;
  const first = await untilItGivesUp(test);
  if (first.over) {
    await between();
  }
  answers(await approvedMeanwhile(test, first.over ? client.call('append', { line: text }) : first.call), `Added: ${text}`);
  once(test);
  return first.over ? undefined : 'waits';
}

async function large({ client }) {
  const { content } = await within(LONG, client.call('picture', {}));
  const image = content.find(({ type }) => type === 'image');
  ensure(image, `the client got no picture, but ${JSON.stringify(content)}`);
  // Some agents make pictures smaller before they send them to the model.
  ensure(
    client.resizes || image.sha256 === createHash('sha256').update(picture()).digest('hex'),
    'the picture changed on its way',
  );
}

// Some clients do not give up as long as Gavel reports progress.
async function untilItGivesUp({ client, text, reviewer }) {
  let got = 'nothing';
  const call = client.call('append', { line: text });
  const over = call.then(
    ({ content }) => (got = JSON.stringify(content)),
    ({ message }) => (got = message),
  );
  await reviewer.awaitOpen(text).catch(({ message }) => {
    throw new Error(`${message}; the client got ${got}`);
  });
  await within(PATIENCE, over).catch(() => {});
  return { call, over: got !== 'nothing' };
}

// The reviewer approves everything that is open while the call waits.
async function approvedMeanwhile(test, call) {
  let settled = false;
  const result = within(LONG, call).finally(() => (settled = true));
  result.catch(() => {});
  while (!settled) {
    await pause(THINKING);
    await approveAll(test);
  }
  return result;
}

async function approveAll({ reviewer, text, runBy }) {
  for (const proposal of await reviewer.open(text)) {
    await reviewer.approve(proposal, runBy);
  }
}

// Waits for the call and for what the reviewer does at the same time. If the call fails first, its error is the reason.
async function meanwhile(call, review) {
  const reviewed = review();
  await Promise.race([reviewed, call.then(() => reviewed)]);
  return within(LONG, Promise.all([call, reviewed]));
}

function answers({ content, isError, error }, expected) {
  const seen = content.map(({ text }) => text ?? '').join('\n');
  ensure(!isError && seen.includes(expected), `instead of the result, the client got ${error ?? seen}`);
}

function once({ file, text }) {
  const runs = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line === text).length;
  ensure(runs === 1, `the call ran ${runs} times`);
}

function ensure(condition, message) {
  if (!condition) {
    throw new Error(message);
  }
}
