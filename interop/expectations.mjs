// What is known to fail, and whether it is what failed.
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

// The entries of a list of the file: SCENARIO, SCENARIO@VERSION, and either with :CHECK behind it. A scenario that ends in * means
// all that begin so, but for those that have an entry of their own with ! before it.
export function expectations(file, list) {
  const entries = parse(readFileSync(file, 'utf8'))?.[list] ?? [];
  const passing = entries.filter((entry) => entry.startsWith('!')).map((entry) => entry.slice(1));
  return entries.filter((entry) => !entry.startsWith('!')).map((entry) => {
    const [, scenario, version, check] = /^([^@:]+)(?:@([^:]+))?(?::(.+))?$/.exec(entry);
    return { list, entry, scenario, version, check, passing, seen: false };
  });
}

const means = ({ scenario: pattern, passing }, scenario) =>
  pattern.endsWith('*') ? scenario.startsWith(pattern.slice(0, -1)) && !passing.includes(scenario) : scenario === pattern;

// Takes what a run at one version found, and gives what is not as expected: {scenario, why}. An entry without a check means the
// whole scenario; where something expected to fail passed, that is a complaint too.
export function compare(expected, version, found) {
  const complaints = [];
  for (const [scenario, { failed }] of found) {
    const known = expected.filter((each) => means(each, scenario) && (each.version ?? version) === version);
    known.forEach((each) => (each.seen = true));
    for (const { id, why } of failed) {
      if (!known.some(({ check }) => check === undefined || check === id)) {
        complaints.push({ scenario, why: `${scenario} fails at ${id}: ${why}` });
      }
    }
    for (const { entry, check } of known) {
      if (!failed.some(({ id }) => check === undefined || check === id)) {
        complaints.push({ scenario, why: `${scenario} is expected to fail (${entry}), and did not: take it out of the list` });
      }
    }
  }
  return complaints;
}
