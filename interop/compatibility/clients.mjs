import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { within } from './children.mjs';
import { clientCases } from './client-cases.mjs';
import { clients, notTried } from './client-list.mjs';
import { explain } from './faults.mjs';
import { folder, startGavel, stdioCommand } from './gavel.mjs';
import { installPackages } from './install.mjs';
import { holding, limitTable, measured, settings } from './limits.mjs';
import { inParallel, options } from './options.mjs';
import { report, verdictText } from './table.mjs';

const HELP = `Tries MCP clients of other projects with a Gavel server from this checkout.

Usage: interop/clients [OPTION]... [CLIENT]...

  CLIENT      try only these clients; default: all
  --list      print the names of the clients, and end
  --markdown  print the tables of docs/conformance.md
  --limits    measure how long each client waits for a call by default, for docs/recipes.md (6 minutes for each client)
  --jobs N    try N clients at the same time; default: 2, with --limits 8
  --keep      keep the working directory, which has the configuration and the ledger of the server

Cases: ${clientCases.map(({ name, title }) => `${name} (${title})`).join(', ')}.

The first run installs the clients from npm and Maven Central (about 3 GB). Coding agents use a model endpoint on this machine and
cannot reach any other address. The exit code is 0 if all cases of the chosen clients pass.`;

// The time-out of a client that is in a hurry, in milliseconds.
const HURRY = 10_000;
// The longest time for one case.
const LIMIT = 240_000;
const TOPIC = 'ops';
const RUN_BY = 'fixture';

const { chosen, markdown: asMarkdown, jobs, limits, keep } = options(HELP, clients, { limits: { type: 'boolean' } });
const work = mkdtempSync(join(tmpdir(), 'gavel-clients-'));
process.on('exit', () => keep || rmSync(work, { recursive: true, force: true, maxRetries: 3 }));

for (const packages of new Set(chosen.map((client) => client.packages).filter(Boolean))) {
  await installPackages(packages);
}
const file = join(work, 'lines.txt');
writeFileSync(file, '');
const member = (client) => `client-${client.name}`;
const members = chosen.map(member);
const DIRECT = ['greet', 'picture', 'stall'].map((tool) => `mcp.request.tools/call:${tool}`);
const gavel = await startGavel(
  work,
  {
    [TOPIC]: {
      members: Object.fromEntries(
        [...members, ...members.map(holding)].map((name) => [name, ['mcp.proposal.*', ...DIRECT, 'mcpx.withdraw.proposal']]),
      ),
      bridges: { [RUN_BY]: { command: [process.execPath, join(folder, 'fixture.mjs'), file] } },
    },
  },
  settings(members),
);
const reviewer = gavel.reviewer(TOPIC);
const endpoint = { address: gavel.address, url: gavel.url(TOPIC), command: stdioCommand(TOPIC) };
await reviewer.awaitParticipant(RUN_BY);

const open = (client, name, more) => client.open({ gavel: endpoint, token: gavel.tokens[name], work, ...more });
const rows = await inParallel(
  jobs ?? (limits ? 8 : 2),
  chosen.map(
    (client) => () =>
      limits ? measured(client, member(client), (name, patience) => open(client, name, { patience })) : tried(client),
  ),
);
await gavel.stop();
console.log(limits ? limitTable(rows) : await report('Client', clientCases, rows, notTried, asMarkdown));
if (keep) {
  console.error(`working directory: ${work}`);
}
process.exit(limits || rows.every(({ verdicts }) => [...verdicts.values()].every(({ passed }) => passed)) ? 0 : 1);

// Tries a client with all cases. The calls that time out use a second connection, with a short time-out.
async function tried(client) {
  const verdicts = new Map();
  const connections = new Map();
  const connected = async (hurried) => {
    if (!connections.has(hurried)) {
      const timeout = hurried ? (client.hurry ?? HURRY) : undefined;
      const connection = await open(client, member(client), { timeout });
      connections.set(hurried, { ...connection, resizes: client.resizes });
      // Some clients need long to start. The case must not measure this.
      await within(LIMIT, connection.tools());
    }
    return connections.get(hurried);
  };
  for (const each of clientCases) {
    const hurried = each.hurried === true;
    const words = `${client.name}-${each.name}-${randomBytes(4).toString('hex')}`;
    try {
      const connection = await connected(hurried);
      const note = await within(LIMIT, each.run({ client: connection, reviewer, runBy: RUN_BY, text: words, file }));
      verdicts.set(each.name, { passed: true, note });
    } catch (error) {
      const states = await reviewer.states(words).catch(() => []);
      const proposals = states.length > 1 ? ` (proposals: ${states.join(', ')})` : '';
      const { fault, reason } = explain(client.name, error.message.replaceAll(words, 'TEXT'));
      verdicts.set(each.name, { passed: false, fault, reason: reason + proposals });
      // A client that failed may not be usable any more.
      await connections
        .get(hurried)
        ?.close()
        .catch(() => {});
      connections.delete(hurried);
    }
    console.error(`${client.name} ${each.name}: ${verdictText(verdicts.get(each.name))}`);
  }
  await Promise.all([...connections.values()].map((each) => each.close().catch(() => {})));
  return { title: client.title, version: client.version, verdicts };
}
