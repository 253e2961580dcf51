// Ways to drive a client. Each returns {tools(), call(tool, arguments), close()}; a failed call is an error.
import { createHash } from 'node:crypto';
import { createInterface } from 'node:readline';
import { offline, run, start, within } from './children.mjs';

// A program that reads commands from standard input (clients/driver.mjs, java/Driver.java).
export function drive(command, { gavel, token, timeout, stdio, through, cwd }) {
  const words = through ?? (stdio ? gavel.command : undefined);
  const env = {
    ...process.env,
    ...offline,
    ...(words ? { MCP_COMMAND: words.join('\n') } : { MCP_URL: gavel.url, MCP_TOKEN: token }),
    ...(timeout ? { MCP_TIMEOUT: String(timeout) } : {}),
    GAVEL_URL: gavel.address,
    GAVEL_TOKEN: token,
    MCP_USE_ANONYMIZED_TELEMETRY: 'false',
  };
  const program = start(command, { cwd, env });
  const waiting = new Map();
  createInterface({ input: program.child.stdout }).on('line', (line) => {
    const { id, value, error } = JSON.parse(line);
    const { resolve, reject } = waiting.get(id) ?? {};
    waiting.delete(id);
    return error === undefined ? resolve?.(value) : reject?.(new Error(error));
  });
  program.ended.then(() => {
    waiting.forEach(({ reject }) => reject(new Error(`the client ended: ${program.said().trim().slice(-300)}`)));
    waiting.clear();
  });
  let last = 0;
  const send = (...line) =>
    new Promise((resolve, reject) => {
      const id = String(++last);
      waiting.set(id, { resolve, reject });
      program.child.stdin.write(`${[id, ...line].join('\t')}\n`);
    });
  return {
    tools: () => send('tools'),
    call: (tool, given) => send('call', tool, ...Object.entries(given).flat()),
    async close() {
      program.child.stdin.end();
      await within(3_000, program.ended).catch(() => {});
      await program.stop();
    },
  };
}

// A program that makes one request and prints its result as JSON.
export function oneShot(command, { cwd, env, timeout, patience = 120_000 }) {
  const request = async (...words) => {
    const { code, out, err } = await run([...command, ...words], { cwd, env, timeout: timeout ?? patience });
    // A tool's error also has an exit code.
    if (code !== 0 && !out.trim().startsWith('{')) {
      throw new Error((err || out).trim().slice(-400) || `exit code ${code}`);
    }
    return JSON.parse(out);
  };
  return {
    tools: async () => (await request('--method', 'tools/list')).tools.map(({ name }) => name),
    async call(tool, given) {
      const words = Object.entries(given).flatMap(([name, value]) => ['--tool-arg', `${name}=${value}`]);
      const { isError, content } = await request('--method', 'tools/call', '--tool-name', tool, ...words);
      return {
        isError: isError === true,
        content: content.map(({ type, text, data }) =>
          data ? { type, sha256: createHash('sha256').update(Buffer.from(data, 'base64')).digest('hex') } : { type, text },
        ),
      };
    },
    close: async () => {},
  };
}
