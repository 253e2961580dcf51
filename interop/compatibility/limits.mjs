// Measures how long clients wait for the result of a tool call by default (interop/clients --limits). Each client makes three calls at
// the same time, on connections of their own: a call that waits for a decision, at an identity without 'hold', shows whether the
// client asks for progress; a call of a server that does not answer shows the limit without progress; and a call that waits for a
// decision, at an identity with 'hold: 1h', shows the limit with progress.
import { randomBytes } from 'node:crypto';
import { within } from './children.mjs';
import { line } from './table.mjs';

// The longest time that is measured, in seconds.
const LONGEST = 330;
// Gavel answers "pending" after 12 seconds if the client does not ask for progress.
const PENDING = 25;
const STARTING = 240_000;

// The identity of a client with a long 'hold'.
export const holding = (member) => `${member}-holds`;
export const settings = (members) => Object.fromEntries(members.map((member) => [holding(member), { hold: '1h' }]));

// 'open' connects the client with the identity's token.
export async function measured(client, member, open) {
  const times = [
    await time(client, 'asks for progress', PENDING, open, member, 'append'),
    ...(await Promise.all([
      time(client, 'without progress', LONGEST, open, holding(member), 'stall'),
      time(client, 'with progress', LONGEST, open, holding(member), 'append'),
    ])),
  ];
  const [first, silent, reporting] = times;
  return { client, asks: !/Pending/.test(first.got ?? ''), silent: silent.seconds, reporting: reporting.seconds };
}

// Calls a tool, and returns how long the client waited, in seconds, and what it got; undefined if it still waits.
async function time(client, what, longest, open, member, tool) {
  let connection;
  const result = {};
  try {
    connection = await open(member, (longest + 60) * 1_000);
    // Some clients need long to start.
    await within(STARTING, connection.tools());
    const began = Date.now();
    const words = `${client.name}-limit-${randomBytes(4).toString('hex')}`;
    const got = connection.call(tool, { line: words }).then(
      ({ content }) => JSON.stringify(content),
      ({ message }) => message,
    );
    result.got = await within(longest * 1_000, got).catch(() => undefined);
    result.seconds = result.got === undefined ? undefined : Math.round((Date.now() - began) / 1_000);
  } catch (error) {
    result.got = `failed: ${error.message}`;
    result.seconds = NaN;
  } finally {
    await connection?.close().catch(() => {});
  }
  const got = result.got?.replace(/\s+/g, ' ').slice(0, 160);
  console.error(`${client.name}, ${what}: ${got === undefined ? `more than ${longest} s` : `${result.seconds} s, «${got}»`}`);
  return result;
}

export function limitTable(rows) {
  return [
    line(['Client', 'Version', 'Limit of a tool call', 'Does progress extend it', 'Setting']),
    line(['---', '---', '---', '---', '---']),
    ...rows.map(({ client, ...row }) => line([client.title, client.version, limit(row.silent), progress(row), client.limit])),
  ].join('\n');
}

const limit = (seconds) =>
  seconds === undefined ? `more than ${LONGEST} s` : Number.isNaN(seconds) ? 'not measured' : `${seconds} s`;

function progress({ asks, silent, reporting }) {
  if (!asks) {
    return 'does not ask for progress';
  }
  if (reporting === undefined) {
    return silent === undefined ? 'asks for progress' : 'yes';
  }
  return reporting > silent + 5 ? `yes, to ${reporting} s` : 'no';
}
