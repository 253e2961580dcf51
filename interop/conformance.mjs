import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { approve } from './approver.mjs';
import { compare, expectations } from './expectations.mjs';
import { listed } from './listed.mjs';
import { here, requirements, results, run, scenarios } from './suite.mjs';

const HELP = `Runs the official MCP conformance suites against Gavel: 'stable' (0.1.16) and 'newest' (0.2.0-alpha.12).

Usage: interop/conformance [OPTION]... [-- COMMAND [ARGUMENT]...]

  --side server     run only the server scenarios: they test a topic's MCP endpoint with a bridged server
  --side client     run only the client scenarios: they test a bridge that connects to the suite's servers
  --suite NAME      run only this suite: stable or newest
  --quick           skip the client scenarios that need an OAuth login or Skills, which Gavel does not support
  --scenario NAME   run only this scenario; can be repeated
  --verbose         print the result of each scenario with its reasons
  --bridges URL     create bridges with requests to this URL (for tests); otherwise each bridge is a separate process
  --at URL          run only the server scenarios of the newest suite against this server (not Gavel), without comparison
  -- COMMAND        the command that runs Gavel; default: ../gavel

Each scenario runs at each of its versions: 2025-06-18, 2025-11-25, 2026-07-28. conformance-expected.yml lists the expected
failures with their reasons. The exit code is 0 if exactly these failures occur.`;

const VERSIONS = ['2025-06-18', '2025-11-25', '2026-07-28'];
const AT_ONCE = 3;

const { values: options, positionals: command } = parseArgs({
  options: {
    help: { type: 'boolean', short: 'h' },
    side: { type: 'string' },
    suite: { type: 'string' },
    quick: { type: 'boolean' },
    scenario: { type: 'string', multiple: true },
    verbose: { type: 'boolean' },
    bridges: { type: 'string' },
    at: { type: 'string' },
  },
  allowPositionals: true,
});
if (options.help) {
  console.log(HELP);
  process.exit(0);
}
const gavel = command.length > 0 ? command : [join(here, '../gavel')];
const work = mkdtempSync(join(tmpdir(), 'gavel-conformance-'));
const token = (who) => `${who}-${randomBytes(16).toString('hex')}`;
const tokens = { suite: token('suite'), approver: token('approver'), host: token('host'), server: token('server') };
const wanted = (name) => options.scenario === undefined || options.scenario.includes(name);

// The name of a part in the report. A part has a suite, a side and a version; without a version, the suite chooses one.
const label = ({ suite, side, version }) => `${suite} suite, ${side}${version ? `, ${version}` : ''}`;

const slots = Array.from({ length: AT_ONCE }, (_, n) => `slot${n + 1}`);

function configuration() {
  const quoted = (words) => JSON.stringify(words);
  const node = process.execPath;
  // The suite is allowed to call all tools directly, except those that must become tasks: it can only propose these.
  const tasks = ['slow_compute', 'failing_job', 'protocol_error_job', 'confirm_delete', 'multi_input'];
  const may = [
    ...['prompts', 'resources', 'completion', 'logging', 'notifications'].map((each) => `mcp.request.${each}/*`),
    ...['tools/list', 'tools/call:test_*', 'tools/call:json_*', 'tools/call:greet'].map((each) => `mcp.request.${each}`),
    ...tasks.map((each) => `mcp.proposal.tools/call:${each}`),
    'mcpx.withdraw.proposal',
  ];
  const answers = ['mcp.response.*', 'mcp.request.notifications/*'];
  return `
listen: 127.0.0.1:0
data: ${quoted(join(work, 'data'))}
limits: {rate: 100000/s}
identities:
  suite: {token: ${tokens.suite}}
  approver: {token: ${tokens.approver}}
  host: {token: ${tokens.host}}
  server: {token: ${tokens.server}}
topics:
  stable: {participants: {suite: ["*"], fixtures: ${quoted(answers)}}}
  newest: {participants: {suite: ${quoted(may)}, approver: ["*"], fixtures-next: ${quoted(answers)}}}
${slots.map((slot) => `  ${slot}: {participants: {host: ["*"], server: ${quoted(answers)}}}`).join('\n')}
bridges:
  fixtures: {topic: stable, command: ${quoted([node, join(here, 'fixtures.mjs')])}}
  fixtures-next: {topic: newest, command: ${quoted([node, join(here, 'fixtures-next.mjs')])}}
`;
}

// The processes that end with this one.
const ended = [];

async function started() {
  writeFileSync(join(work, 'gavel.yaml'), configuration());
  const [program, ...args] = gavel;
  const server = spawn(program, [...args, 'serve', '--config', join(work, 'gavel.yaml')], {
    cwd: work,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  ended.push(server);
  let complaints = '';
  server.stderr.on('data', (data) => (complaints = (complaints + data).slice(-10_000)));
  for await (const line of createInterface({ input: server.stdout })) {
    const address = /^listening on (\S+)/.exec(line)?.[1];
    if (address) {
      server.stdout.resume();
      return { server, address, complaints: () => complaints };
    }
  }
  throw new Error(`'${gavel.join(' ')}' did not start: ${complaints}`);
}

const folder = () => mkdtempSync(join(work, 'results-'));

// Runs the server scenarios of one version in one process. The suite runs them one after the other.
async function asServer(url, part, names, alone = options.scenario !== undefined || part.version === undefined) {
  const common = { env: { MCP_TOKEN: tokens.suite }, preload: ['bearer.mjs'] };
  const output = folder();
  const at = part.suite === 'newest' && part.version ? ['--spec-version', part.version] : [];
  const server = (...args) => run(part.suite, ['server', '--url', url, '--output-dir', output, ...args], common);
  if (alone) {
    // The program has no group that contains only the scenarios for extensions.
    await inTurn(
      names.map((name) => () => server('--scenario', name, ...at)),
      slots,
    );
  } else {
    await server('--suite', 'all', ...at);
  }
  return results(output);
}

// Runs a client scenario: the suite starts conformance-client.mjs with the URL of its server.
async function asClient(address, slot, part, name) {
  const output = folder();
  const at = part.suite === 'newest' && part.version ? ['--spec-version', part.version] : [];
  await run(
    part.suite,
    [
      'client',
      '--command',
      '"$CONFORMANCE_NODE" "$CONFORMANCE_CLIENT"',
      '--scenario',
      name,
      '--output-dir',
      output,
      '--timeout',
      '60000',
      ...at,
    ],
    {
      env: {
        CONFORMANCE_NODE: process.execPath,
        CONFORMANCE_CLIENT: join(here, 'conformance-client.mjs'),
        CONFORMANCE_GAVEL: JSON.stringify(gavel),
        CONFORMANCE_BRIDGES: options.bridges ?? '',
        CONFORMANCE_TOPIC: slot,
        CONFORMANCE_HOST_TOKEN: tokens.host,
        GAVEL_URL: address,
        GAVEL_TOKEN: tokens.server,
      },
      preload: ['loopback.mjs'],
    },
  );
  return results(output);
}

// Returns the parts to run: each scenario at each of its versions. For a scenario without a version, or a draft, the suite chooses.
async function parts(side, suite) {
  const all = (await scenarios(suite, side)).filter(({ name }) => wanted(name));
  const dated = (versions) => versions.filter((version) => VERSIONS.includes(version));
  const undated = all.filter(({ versions }) => dated(versions).length === 0);
  // The stable suite runs server scenarios only at its own version.
  const versions = suite === 'stable' ? ['2025-11-25'] : VERSIONS;
  return [
    ...versions.map((version) => ({
      part: { side, suite, version },
      names: all
        .filter((each) => dated(each.versions).length > 0 && (suite === 'stable' || each.versions.includes(version)))
        .map(({ name }) => name),
    })),
    { part: { side, suite, version: undefined }, names: undated.map(({ name }) => name) },
  ].filter(({ names }) => names.length > 0);
}

async function inTurn(works, atOnce) {
  const left = [...works];
  await Promise.all(
    atOnce.map(async (slot) => {
      for (let next = left.shift(); next; next = left.shift()) {
        await next(slot);
      }
    }),
  );
}

// All results, for the summary of the scenarios that an MCP version requires.
const outcomes = [];
let complaints = 0;

const word = ({ passed, failed }) => (failed.length > 0 ? 'FAIL' : passed > 0 ? 'pass' : 'skip');

function report(part, found, expected) {
  outcomes.push({ part, found });
  const wrong = expected ? compare(expected, part.version, found) : [];
  complaints += wrong.length;
  const words = [...found.values()].map(word);
  const count = (which) => words.filter((each) => each === which).length;
  console.log(
    `${label(part)}: ${found.size} scenarios, ${count('pass')} pass, ${count('FAIL')} fail, ${count('skip')} skip` +
      (expected ? `; ${wrong.length === 0 ? 'as expected' : 'not as expected:'}` : ''),
  );
  wrong.forEach(({ why }) => console.log(`  ${why}`));
  if (options.verbose) {
    for (const [name, result] of found) {
      const { passed, failed } = result;
      console.log(`  ${word(result)} ${name}: ${passed} checks passed, ${failed.length} failed`);
      failed.forEach(({ id, warning, why }) => console.log(`       ${warning ? 'warning ' : ''}${id}: ${why}`));
    }
  }
}

// Some scenarios give a server half a second, and a busy machine might need longer. Scenarios with unexpected results run once
// more when nothing else runs.
async function again(expected, part, names, found, attempt) {
  for (const name of names.filter((each) => !found.has(each))) {
    found.set(name, { passed: 0, failed: [{ id: 'not-run', why: 'the suite did not run this scenario' }] });
  }
  const wrong = new Set(compare(expected, part.version, found).map(({ scenario }) => scenario));
  for (const name of wrong) {
    console.log(`${label(part)}: ${name} is not as expected; running it again`);
    (await attempt(name)).forEach((result) => found.set(name, result));
  }
}

// Prints how many of the required scenarios pass. As in the suite, a warning does not count as a failure.
async function required() {
  for (const revision of ['2025-11-25', '2026-07-28']) {
    for (const side of ['server', 'client']) {
      const names = await requirements(revision, side);
      const all = outcomes.find(({ part }) => part.suite === 'newest' && part.side === side && part.version === revision);
      if (all && names.every((name) => all.found.has(name))) {
        const passing = names.filter((name) => all.found.get(name).failed.every(({ warning }) => warning));
        console.log(`MCP ${revision} requires ${names.length} ${side} scenarios: ${passing.length} pass`);
      }
    }
  }
}

async function withServer(url, suite, expected) {
  const done = [];
  const works = (await parts('server', suite)).map(({ part, names }) => async () => {
    done.push({ part, names, found: await asServer(url, part, names) });
  });
  return {
    works,
    finish: async () => {
      for (const { part, names, found } of done) {
        if (expected) {
          await again(expected, part, names, found, (name) => asServer(url, part, [name], true));
        }
        report(part, found, expected);
      }
    },
  };
}

async function withClient(address, suite, expected) {
  const done = [];
  const works = [];
  for (const { part, names } of await parts('client', suite)) {
    const run = names.filter((name) => !options.quick || !/^(auth\/|sep-2640-)/.test(name));
    const found = new Map();
    if (run.length > 0) {
      done.push({ part, names: run, found });
    }
    for (const name of run) {
      works.push(async (slot) => (await asClient(address, slot, part, name)).forEach((result) => found.set(name, result)));
    }
  }
  return {
    works,
    finish: async () => {
      for (const { part, names, found } of done) {
        await again(expected, part, names, found, (name) => asClient(address, slots[0], part, name));
        report(part, found, expected);
      }
    },
  };
}

async function main() {
  if (options.at) {
    const { works, finish } = await withServer(options.at, 'newest');
    await inTurn(works, works);
    await finish();
    return;
  }
  const file = join(here, 'conformance-expected.yml');
  const chosen = (what, name) => options[what] === undefined || options[what] === name;
  const suites = ['stable', 'newest'].filter((each) => chosen('suite', each));
  const { server, address, complaints: said } = await started();
  let socket;
  try {
    const servers = [];
    const clients = [];
    const lists = [];
    const known = (list) => {
      lists.push(expectations(file, list));
      return lists.at(-1);
    };
    for (const suite of suites) {
      if (chosen('side', 'server')) {
        await listed(`${address}/mcp/${suite}`, tokens.suite, 'test_simple_text');
        socket ??= await approve(address, tokens.approver, 'newest', 'fixtures-next');
        servers.push(await withServer(`${address}/mcp/${suite}`, suite, known(`${suite}-server`)));
      }
      if (chosen('side', 'client')) {
        clients.push(await withClient(address, suite, known(`${suite}-client`)));
      }
    }
    // Server scenarios mostly wait, so all of them run at once. Each client scenario starts processes.
    const waiting = servers.flatMap(({ works }) => works);
    await Promise.all([
      inTurn(waiting, waiting),
      inTurn(
        clients.flatMap(({ works }) => works),
        slots,
      ),
    ]);
    for (const { finish } of [...servers, ...clients]) {
      await finish();
    }
    await required();
    if (!options.scenario && !options.quick) {
      for (const { list, entry } of lists.flat().filter(({ seen }) => !seen)) {
        console.log(`${list}: no scenario matches the entry ${entry}. Remove it from the list.`);
        complaints++;
      }
    }
    if (complaints > 0 && options.verbose) {
      console.log(said());
    }
  } finally {
    socket?.close();
    server.kill();
    await once(server, 'exit');
  }
}

process.on('exit', () => {
  ended.forEach((child) => child.kill());
  rmSync(work, { recursive: true, force: true, maxRetries: 5 });
});
process.on('SIGINT', () => process.exit(130));
process.on('SIGTERM', () => process.exit(143));
await main();
process.exit(complaints > 0 ? 1 : 0);
