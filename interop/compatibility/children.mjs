// Starts programs, and ends them and everything that they started when this process ends.
import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';

const running = new Set();

// The environment of a program that must reach only this machine. Programs other than Node.js use the proxy, which is a closed port.
export const offline = {
  NODE_OPTIONS: `--import=${new URL('offline.mjs', import.meta.url).href}`,
  HTTPS_PROXY: 'http://127.0.0.1:9',
  HTTP_PROXY: 'http://127.0.0.1:9',
  NO_PROXY: '127.0.0.1,localhost',
  DO_NOT_TRACK: '1',
};

// Starts a program in a process group of its own. 'said' returns the last part of its standard error output.
export function start(command, { cwd, env, stdin = 'pipe' } = {}) {
  const child = spawn(command[0], command.slice(1), {
    cwd,
    env: env ?? process.env,
    stdio: [stdin, 'pipe', 'pipe'],
    detached: true,
  });
  let errors = '';
  child.stderr.on('data', (data) => (errors = (errors + data).slice(-20_000)));
  child.stdin?.on('error', () => {});
  running.add(child);
  const ended = new Promise((resolve) => {
    child.on('error', (error) => {
      errors += error.message;
      running.delete(child);
      resolve({ code: -1 });
    });
    child.on('close', (code, signal) => resolve({ code, signal }));
  });
  return { child, ended, said: () => errors, stop: () => stop(child, ended) };
}

// Runs a program to its end, and returns its exit code and output.
export async function run(command, { timeout = 60_000, ...options } = {}) {
  const started = start(command, { stdin: 'ignore', ...options });
  const parts = [];
  started.child.stdout.on('data', (data) => parts.push(data));
  const end = await within(timeout, started.ended).catch((error) => ({ code: -1, late: error.message }));
  await started.stop();
  return { ...end, out: Buffer.concat(parts).toString('utf8'), err: end.late ?? started.said() };
}

// Fails if the promise takes longer than this time.
export async function within(milliseconds, promise, what = 'no answer') {
  const abort = new AbortController();
  try {
    return await Promise.race([
      promise,
      pause(milliseconds, undefined, { signal: abort.signal }).then(() => {
        throw new Error(`${what} within ${Math.round(milliseconds / 1000)} s`);
      }),
    ]);
  } finally {
    abort.abort();
  }
}

async function stop(child, ended) {
  if (child.pid !== undefined && running.delete(child)) {
    kill(child, 'SIGTERM');
    await within(5_000, ended).catch(() => {});
    kill(child, 'SIGKILL');
  }
}

// The group can outlive its first process, so the signal goes to the group even if that process has ended.
function kill(child, signal) {
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The group has ended.
  }
}

process.on('exit', () => running.forEach((child) => kill(child, 'SIGKILL')));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => process.exit(130));
}
