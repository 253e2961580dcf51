import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { run, start, within } from './children.mjs';
import { explain } from './faults.mjs';
import { startGavel } from './gavel.mjs';
import { installPackages } from './install.mjs';
import { inParallel, options } from './options.mjs';
import { serverCases } from './server-cases.mjs';
import { notTried, servers } from './server-list.mjs';
import { report, verdictText } from './table.mjs';

const HELP = `Tries MCP servers of other projects behind bridges of a Gavel server from this checkout.

Usage: interop/servers [OPTION]... [SERVER]...

  SERVER      try only these servers; default: all
  --list      print the names of the servers, and end
  --markdown  print the tables of docs/conformance.md
  --jobs N    try N servers at the same time; default: 2
  --keep      keep the working directory, which has the configuration and the ledger of Gavel

Cases: ${serverCases.map(({ name, title }) => `${name} (${title})`).join(', ')}.

The first run installs the servers from npm (about 1 GB). The servers use no accounts and reach no service. The exit code is 0 if
all cases of the chosen servers pass.`;

// The longest time for one case.
const LIMIT = 150_000;

const { chosen, markdown: asMarkdown, jobs, keep } = options(HELP, servers);
await installPackages('servers');
const work = mkdtempSync(join(tmpdir(), 'gavel-servers-'));
process.on('exit', () => keep || rmSync(work, { recursive: true, force: true, maxRetries: 3 }));

const rows = await inParallel(
  jobs ?? 2,
  chosen.map((server) => () => tried(server)),
);
console.log(await report('Server', serverCases, rows, notTried, asMarkdown));
if (keep) {
  console.error(`working directory: ${work}`);
}
process.exit(rows.every(({ verdicts }) => [...verdicts.values()].every(({ passed }) => passed)) ? 0 : 1);

// Tries a server with all cases, behind a Gavel server of its own.
async function tried(server) {
  const verdicts = new Map();
  const directory = mkdtempSync(join(work, `${server.name}-`));
  let own;
  let gavel;
  try {
    if (server.listen) {
      own = await startOwn(server, directory);
    }
    gavel = await startGavel(directory, {
      [server.name + '-topic']: {
        members: { caller: ['*'] },
        bridges: { [server.name]: own ? { url: own.url } : { ...server.start(directory), cwd: directory } },
      },
    });
    await cases(server, gavel, verdicts, { kill: () => (own ? own.restart() : killChildren(gavel.pid)) });
  } catch (error) {
    verdicts.set('ready', { passed: false, ...explain(server.name, error.message) });
    console.error(`${server.name}: ${error.message}`);
  } finally {
    await gavel?.stop();
    await own?.stop();
  }
  return { title: server.title, version: server.version, verdicts };
}

async function cases(server, gavel, verdicts, { kill }) {
  const topic = `${server.name}-topic`;
  const listeners = [];
  const client = new Client({ name: 'gavel-compatibility', version: '1.0.0' });
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => listeners.splice(0).forEach((listener) => listener()));
  await client.connect(
    new StreamableHTTPClientTransport(new URL(gavel.url(topic)), {
      requestInit: { headers: { Authorization: `Bearer ${gavel.tokens.caller}` } },
    }),
  );
  const test = {
    server,
    client,
    kill,
    reviewer: gavel.reviewer(topic),
    changed: () => new Promise((resolve) => listeners.push(resolve)),
  };
  for (const each of serverCases.filter(({ runs }) => runs?.(server) ?? true)) {
    try {
      await within(LIMIT, each.run(test));
      verdicts.set(each.name, { passed: true });
    } catch (error) {
      const log = each.name === 'ready' ? ` ${lastWarning(gavel.said())}` : '';
      verdicts.set(each.name, { passed: false, ...explain(server.name, error.message + log) });
    }
    console.error(`${server.name} ${each.name}: ${verdictText(verdicts.get(each.name))}`);
    if (each.name === 'ready' && !verdicts.get('ready').passed) {
      break;
    }
  }
  await client.close().catch(() => {});
}

// The last line of Gavel's log about the bridge.
function lastWarning(log) {
  return (
    log
      .split('\n')
      .filter((line) => /bridge/i.test(line))
      .at(-1) ?? ''
  );
}

// Starts an HTTP server that Gavel connects to.
async function startOwn(server, directory) {
  const port = await freePort();
  const { command, env, url } = server.listen(port);
  const launch = () => start(command, { cwd: directory, env: { ...process.env, ...env }, stdin: 'ignore' });
  let program = launch();
  return {
    url,
    async restart() {
      process.kill(-program.child.pid, 'SIGKILL');
      await program.ended;
      program = launch();
    },
    stop: () => program.stop(),
  };
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

// Kills the server that Gavel started: its only child process.
async function killChildren(parent) {
  const { out } = await run(['ps', '-eo', 'pid=,ppid=']);
  const children = out
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, ppid]) => ppid === parent);
  if (children.length === 0) {
    throw new Error("the server's process was not found");
  }
  children.forEach(([pid]) => process.kill(pid, 'SIGKILL'));
}
