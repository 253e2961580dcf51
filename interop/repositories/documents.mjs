import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { run } from '../compatibility/children.mjs';
import { command, startGavel, version } from '../compatibility/gavel.mjs';
import { line } from '../compatibility/table.mjs';
import { oracles } from './oracles.mjs';

const HELP = `Compares what Gavel reads in the documents of another project with what they say.

Usage: interop/documents DIRECTORY --process NAME [--all] [--keep]

  DIRECTORY       a checkout of the project's repository
  --process NAME  the process of the project: ${Object.keys(oracles).join(', ')}
  --all           print every difference; default: the first 20
  --keep          keep the working directory, which has the ledger of the server and the exported documents

The documents are checked with 'gavel sep lint', imported into a server on this machine with 'gavel sep import', and exported with
'gavel sep export'. The script reads number, title and status itself and compares. It prints a row for docs/sep-documents-results.md
and the differences. The exit code is 0 if there was no failure of Gavel, at least 99 % of the numbers and titles are right, all statuses
are right, and all exported files are the imported ones, byte for byte and under the same names. If two documents have the same
number, Gavel must refuse the second one.`;

const BOUND = 0.99;
const TIMEOUT = 900_000;

const { values, positionals } = parse();
const root = resolve(positionals[0]);
const work = mkdtempSync(join(tmpdir(), 'gavel-documents-'));
process.on('exit', () => values.keep || rmSync(work, { recursive: true, force: true, maxRetries: 3 }));

const differences = [];
const documents = oracles[values.process](root);
if (documents.length === 0) {
  fail(`${root} has no documents of the process ${values.process}`);
}
const failures = [];
const lint = await gavel(['sep', 'lint', root, '--process', values.process, '--json'], [0, 1]);
const findings = Map.groupBy(lint?.findings ?? [], ({ file }) => relative(root, file));

const server = await startGavel(
  work,
  { main: { members: {}, bridges: {} } },
  { reviewer: { roles: ['admin'] } },
  { sep: { process: values.process, topic: 'main', sweep: 'off' }, limits: { rate: '100000/s', ask: 'off', bytes: 'off' } },
);
const connection = { GAVEL_URL: server.address, GAVEL_TOKEN: server.tokens.reviewer };
const out = join(work, 'export');
const imported = await gavel(['sep', 'import', root, '--process', values.process, '--json'], [0, 1], connection);
await gavel(['sep', 'export', '--dir', out, '--json'], [0], connection);
await server.stop();

const answers = new Map((imported?.documents ?? []).map((answer) => [relative(root, answer.file), answer]));
const counts = { read: 0, titled: 0, status: 0, exported: 0, duplicates: 0 };
const byNumber = new Map();
for (const document of documents) {
  const answer = answers.get(document.path);
  const first = byNumber.get(document.number);
  if (document.number !== undefined && first === undefined) {
    byNumber.set(document.number, document.path);
  }
  if (answer === undefined) {
    differ(document, 'Gavel did not import it');
  } else if (answer.code !== undefined) {
    if (first !== undefined && answer.code === 'number_taken') {
      counts.duplicates++;
      differ(document, `refused: the repository has the number ${document.number} twice (${first})`);
    } else {
      differ(document, `refused: ${answer.detail}`);
    }
  } else {
    compare(document, answer);
  }
}
for (const path of answers.keys()) {
  if (!documents.some((document) => document.path === path)) {
    differ({ path }, 'Gavel regards it as a document');
    failures.push(`${path} is not a document`);
  }
}

const unique = documents.length - counts.duplicates;
const passed =
  failures.length === 0 &&
  counts.read >= BOUND * unique &&
  counts.titled >= BOUND * unique &&
  counts.status === unique &&
  counts.exported === unique;
console.log(`Gavel ${await version()}, Node.js ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}\n`);
console.log(
  line(['Process', 'Commit', 'Documents', 'Failures', 'Number right', 'Title right', 'Status right', 'Export identical', 'Refused duplicates']),
);
console.log(line(Array(9).fill('---')));
console.log(
  line([
    `\`${values.process}\``,
    commit(),
    documents.length,
    failures.length,
    share(counts.read, unique),
    share(counts.titled, unique),
    share(counts.status, unique),
    share(counts.exported, unique),
    counts.duplicates,
  ]),
);
failures.forEach((failure) => console.log(`\nFAILURE ${failure}`));
const shown = values.all ? differences : differences.slice(0, 20);
console.log(`\n${differences.length} differences${shown.length < differences.length ? `, the first ${shown.length}` : ''}:`);
shown.forEach(({ path, reason }) => console.log(`- ${path}: ${reason}`));
if (values.keep) {
  console.error(`working directory: ${work}`);
}
process.exit(passed ? 0 : 1);

function compare(document, answer) {
  if (document.number === undefined || answer.number === document.number) {
    counts.read++;
  } else {
    differ(document, `number ${answer.number} instead of ${document.number}`);
  }
  if (document.title === undefined || sameTitle(answer.title, document.title)) {
    counts.titled++;
  } else {
    differ(document, `title '${answer.title}' instead of '${document.title}'`);
  }
  const unknown = (findings.get(document.path) ?? []).some(({ code }) => /^status-(unknown|placeholder)$/.test(code));
  if (document.states.length === 0 ? unknown : document.states.includes(answer.status)) {
    counts.status++;
    if (document.states.length === 0) {
      differ(document, `status '${document.status}' is not defined by the project, and lint reports it`);
    }
  } else {
    differ(document, `state '${answer.status}' for the status '${document.status}'`);
  }
  const changed = [document.path, document.side].filter((path) => path && !identical(path));
  if (changed.length === 0) {
    counts.exported++;
  } else {
    differ(document, `exported differently: ${changed.join(', ')}`);
  }
}

// Markup in a title does not count.
function sameTitle(one, other) {
  const plain = (title) => (title ?? '').replace(/[`*_\\]/g, '').replace(/\s+/g, ' ').trim();
  return plain(one) === plain(other);
}

function identical(path) {
  const exported = join(out, path);
  return existsSync(exported) && readFileSync(exported).equals(readFileSync(join(root, path)));
}

function differ({ path }, reason) {
  differences.push({ path, reason });
}

// Runs a command of Gavel, and returns the JSON that it prints.
async function gavel(words, expected, environment = {}) {
  const { code, out: output, err } = await run([command, ...words], {
    cwd: work,
    env: { ...process.env, GAVEL_BUILD: 'never', ...environment },
    timeout: TIMEOUT,
  });
  if (!expected.includes(code) || /Exception|\bat dev\.gavel\./.test(err)) {
    failures.push(`${words.slice(0, 2).join(' ')}: exit code ${code}: ${err.slice(-500)}`);
  }
  try {
    return JSON.parse(output);
  } catch {
    failures.push(`${words.slice(0, 2).join(' ')}: no JSON: ${output.slice(0, 200)}`);
    return undefined;
  }
}

function share(count, of) {
  return count === of ? 'all' : `${((100 * count) / of).toFixed(1)} % (${of - count} not)`;
}

function commit() {
  const { stdout } = spawnSync('git', ['-C', root, 'log', '-1', '--format=%h, %cs'], { encoding: 'utf8' });
  return stdout?.trim() || '–';
}

function parse() {
  let parsed;
  try {
    parsed = parseArgs({
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h' },
        process: { type: 'string' },
        all: { type: 'boolean' },
        keep: { type: 'boolean' },
      },
    });
  } catch (error) {
    fail(error.message);
  }
  if (parsed.values.help) {
    console.log(HELP);
    process.exit(0);
  }
  if (parsed.positionals.length !== 1 || !statSync(parsed.positionals[0], { throwIfNoEntry: false })?.isDirectory()) {
    fail('name the directory of one checkout');
  }
  if (!oracles[parsed.values.process]) {
    fail(`--process needs one of ${Object.keys(oracles).join(', ')}`);
  }
  return parsed;
}

function fail(message) {
  console.error(`${message}\nSee --help.`);
  process.exit(2);
}
