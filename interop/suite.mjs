// Runs the official conformance suites as programs, lists their scenarios and reads their results.
import { spawn } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const here = dirname(fileURLToPath(import.meta.url));

const program = {
  stable: join(here, 'node_modules/@modelcontextprotocol/conformance/dist/index.js'),
  newest: join(here, 'node_modules/conformance-next/dist/index.js'),
};

// Runs a suite with these arguments and returns everything that it printed.
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

// Returns the scenarios of a side (client or server) with their versions, "draft" or extensions.
export async function scenarios(suite, side) {
  const printed = await run(suite, ['list', `--${side}`]);
  return [...printed.matchAll(/^ {2}- (\S+) \[([^\]]*)\]$/gm)].map(([, name, versions]) => ({
    name,
    versions: versions.split(','),
  }));
}

// Returns the scenarios of a side that an MCP version requires, according to the newest suite.
export async function requirements(revision, side) {
  const printed = await run('newest', ['list', '--requirements', revision]);
  const lists = printed.split(/^(?=\S)/m);
  const own = lists.find((list) => list.toLowerCase().startsWith(`${side} scenarios`)) ?? '';
  return [...own.matchAll(/^ {2}- (\S+)$/gm)].map(([, name]) => name);
}

// Reads the results of a run from its directory: for each scenario, the failed checks (or warnings) and the number that passed.
export function results(directory) {
  const found = new Map();
  // A scenario that was aborted leaves an empty directory.
  for (const folder of globSync('{*,*/*}-[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T*Z', { cwd: directory })) {
    const name = folder.replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, '').replace(/^server-(?=.)/, '');
    let checks;
    try {
      checks = JSON.parse(readFileSync(join(directory, folder, 'checks.json'), 'utf8'));
    } catch {
      checks = [{ id: 'broke-down', status: 'FAILURE', errorMessage: 'the scenario was aborted' }];
    }
    found.set(name, {
      // Each scenario also checks that messages match the schema. If that is the only check, the scenario tested nothing.
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
