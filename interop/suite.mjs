// The official conformance suite, run as the program it is: which scenarios it has, and what came of them.
import { spawn } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const here = dirname(fileURLToPath(import.meta.url));

const program = {
  stable: join(here, 'node_modules/@modelcontextprotocol/conformance/dist/index.js'),
  newest: join(here, 'node_modules/conformance-next/dist/index.js'),
};

// Runs it with these arguments, and gives all that it printed.
export function run(suite, args, { env = {}, preload = [] } = {}) {
  const imports = preload.flatMap((file) => ['--import', join(here, file)]);
  const child = spawn(process.execPath, [...imports, program[suite], ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  child.stdout.on('data', (data) => (printed += data));
  child.stderr.on('data', (data) => (printed += data));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', () => resolve(printed));
  });
}

// The scenarios of a side (client or server), each with what it says it is for: versions, draft, or extension.
export async function scenarios(suite, side) {
  const printed = await run(suite, ['list', `--${side}`]);
  return [...printed.matchAll(/^ {2}- (\S+) \[([^\]]*)\]$/gm)].map(([, name, versions]) => ({
    name,
    versions: versions.split(','),
  }));
}

// The scenarios of a side that a revision of MCP requires, as the newest suite has it.
export async function requirements(revision, side) {
  const printed = await run('newest', ['list', '--requirements', revision]);
  const lists = printed.split(/^(?=\S)/m);
  const own = lists.find((list) => list.toLowerCase().startsWith(`${side} scenarios`)) ?? '';
  return [...own.matchAll(/^ {2}- (\S+)$/gm)].map(([, name]) => name);
}

// What the run that wrote into this directory found: for each scenario its checks that failed (or warn), and how many passed.
export function results(directory) {
  const found = new Map();
  // A scenario that broke down leaves a directory with nothing in it.
  for (const folder of globSync('{*,*/*}-[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T*Z', { cwd: directory })) {
    const name = folder.replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, '').replace(/^server-(?=.)/, '');
    let checks;
    try {
      checks = JSON.parse(readFileSync(join(directory, folder, 'checks.json'), 'utf8'));
    } catch {
      checks = [{ id: 'broke-down', status: 'FAILURE', errorMessage: 'the scenario did not come to an end' }];
    }
    found.set(name, {
      // Each scenario also has a check that what was sent is sound; where there is nothing else, nothing was tried.
      passed: checks.filter(({ id, status }) => status === 'SUCCESS' && id !== 'wire-schema-valid').length,
      failed: checks
        .filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
        .map(({ id, status, errorMessage, description, details }) => ({
          id,
          warning: status === 'WARNING',
          why: String(errorMessage ?? details?.message ?? description)
            .split('\n')[0]
            .slice(0, 400),
        })),
    });
  }
  return found;
}
