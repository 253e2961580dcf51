// Reads the list of expected failures and compares it with the results.
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

// Returns the entries of a list in the file: SCENARIO or SCENARIO@VERSION, each optionally followed by :CHECK. A scenario that ends
// in * matches all scenarios with that prefix, except those that have an entry with ! before the name.
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

// Compares the results of one version with the expected failures and returns the differences: {scenario, why}. An entry without
// a check matches the whole scenario. An expected failure that passed is also a difference.
export function compare(expected, version, found) {
  const complaints = [];
  for (const [scenario, { failed }] of found) {
    const known = expected.filter((each) => means(each, scenario) && (each.version ?? version) === version);
    known.forEach((each) => (each.seen = true));
    for (const { id, why } of failed) {
      if (!known.some(({ check }) => check === undefined || check === id)) {
        complaints.push({ scenario, why: `${scenario} fails the check ${id}: ${why}` });
      }
    }
    for (const { entry, check } of known) {
      if (!failed.some(({ id }) => check === undefined || check === id)) {
        complaints.push({ scenario, why: `${scenario} is expected to fail (${entry}), but passed. Remove the entry from the list.` });
      }
    }
  }
  return complaints;
}
