// The command line of interop/clients and interop/servers.
import { parseArgs } from 'node:util';

// Returns {chosen, markdown, jobs, keep} and the values of 'more', which are further options. Prints the help or an error, and ends
// the process, if it must.
export function options(help, all, more = {}) {
  let parsed;
  try {
    parsed = parseArgs({
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h' },
        list: { type: 'boolean' },
        markdown: { type: 'boolean' },
        jobs: { type: 'string' },
        keep: { type: 'boolean' },
        ...more,
      },
    });
  } catch (error) {
    fail(error.message);
  }
  const { values, positionals } = parsed;
  if (values.help) {
    console.log(help);
    process.exit(0);
  }
  if (values.list) {
    all.forEach(({ name, title, version }) => console.log(`${name.padEnd(24)} ${title} ${version}`));
    process.exit(0);
  }
  const unknown = positionals.filter((word) => !all.some(({ name }) => name === word));
  if (unknown.length > 0) {
    fail(`unknown name: ${unknown.join(', ')}. --list prints the names.`);
  }
  const jobs = values.jobs === undefined ? undefined : Number(values.jobs);
  if (jobs !== undefined && (!Number.isInteger(jobs) || jobs < 1)) {
    fail('--jobs needs a number of at least 1');
  }
  const chosen = positionals.length === 0 ? all : all.filter(({ name }) => positionals.includes(name));
  return { ...values, chosen, jobs };
}

// Runs the works, at most this many at the same time, and returns their results in order.
export async function inParallel(jobs, works) {
  const results = [];
  const left = works.map((work, n) => async () => (results[n] = await work()));
  await Promise.all(
    Array.from({ length: jobs }, async () => {
      for (let next = left.shift(); next; next = left.shift()) {
        await next();
      }
    }),
  );
  return results;
}

function fail(message) {
  console.error(`${message}\nSee --help.`);
  process.exit(2);
}
