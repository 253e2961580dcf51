// Starts a Gavel server from this checkout, and reviews proposals in its topics.
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { run, start, within } from './children.mjs';

export const folder = dirname(fileURLToPath(import.meta.url));
export const command = join(folder, '../../gavel');

// Starts a server with these topics: name -> {members: name -> capabilities, bridges: name -> settings}. Each topic also has the
// member 'reviewer', which decides. 'settings' are further settings of identities: name -> settings. 'more' are other keys of the configuration.
export async function startGavel(work, topics, settings = {}, more = {}) {
  const names = new Set(['reviewer', ...Object.values(topics).flatMap(({ members }) => Object.keys(members))]);
  const tokens = Object.fromEntries([...names].map((name) => [name, randomBytes(24).toString('hex')]));
  mkdirSync(work, { recursive: true });
  const file = join(work, 'gavel.yaml');
  const each = (make) => Object.fromEntries(Object.entries(topics).flatMap(([topic, contents]) => make(topic, contents)));
  // JSON is also YAML.
  const configuration = {
    listen: '127.0.0.1:0',
    data: join(work, 'data'),
    limits: { rate: '100000/s', ask: 'off' },
    identities: Object.fromEntries(Object.entries(tokens).map(([name, token]) => [name, { token, ...settings[name] }])),
    topics: each((topic, { members }) => [[topic, { participants: { reviewer: ['*'], ...members } }]]),
    bridges: each((topic, { bridges }) => Object.entries(bridges).map(([name, bridge]) => [name, { topic, ...bridge }])),
    ...more,
  };
  writeFileSync(file, JSON.stringify(configuration, undefined, 1), { mode: 0o600 });
  const server = start([command, 'serve', '--config', file], { cwd: work, stdin: 'ignore' });
  const address = await within(120_000, listening(server), 'Gavel did not start');
  return {
    address,
    pid: server.child.pid,
    url: (topic) => `${address}/mcp/${topic}`,
    tokens,
    reviewer: (topic) => new Reviewer(`${address}/topics/${topic}`, tokens.reviewer),
    said: server.said,
    stop: server.stop,
  };
}

// The command that offers a topic over standard input and output.
export const stdioCommand = (topic) => [command, 'mcp', '--topic', topic];

export const version = async () => (await run([command, '--version'])).out.trim().replace(/^gavel /, '');

async function listening(server) {
  for await (const line of createInterface({ input: server.child.stdout })) {
    const address = /^listening on (\S+)/.exec(line)?.[1];
    if (address) {
      server.child.stdout.resume();
      return address;
    }
  }
  throw new Error(`Gavel did not start: ${server.said()}`);
}

// Finds and decides proposals over the HTTP API.
class Reviewer {
  constructor(base, token) {
    this.base = base;
    this.headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  }

  // The undecided proposals whose arguments contain this text, oldest first.
  async open(text) {
    const { proposals } = await this.#request('/proposals?state=open&limit=500');
    return proposals.filter(({ payload }) => JSON.stringify(payload).includes(text)).reverse();
  }

  async states(text) {
    const { proposals } = await this.#request('/proposals?limit=500');
    return proposals
      .filter(({ payload }) => JSON.stringify(payload).includes(text))
      .reverse()
      .map(({ state }) => state);
  }

  // Waits until there is an undecided proposal with this text.
  async awaitOpen(text, timeout = 20_000) {
    const deadline = Date.now() + timeout;
    while (Date.now() < deadline) {
      const found = await this.open(text);
      if (found.length > 0) {
        return found;
      }
      await pause(100);
    }
    throw new Error('the call did not become a proposal');
  }

  // Approves the call: the member runs it.
  approve({ id, payload, kind }, runBy) {
    return this.#send({
      id: `approve-${id}`,
      to: [runBy],
      kind: (kind ?? `mcp.proposal.${payload.method}:${payload.params.name}`).replace('mcp.proposal.', 'mcp.request.'),
      correlationId: id,
      payload: { jsonrpc: '2.0', id: `approve-${id}`, method: payload.method, params: payload.params },
    });
  }

  reject({ id }, reason, note) {
    return this.#send({ id: `reject-${id}`, kind: 'mcpx.reject.proposal', correlationId: id, payload: { reason, note } });
  }

  // Waits until a member is connected.
  async awaitParticipant(name, timeout = 60_000) {
    const deadline = Date.now() + timeout;
    while (!(await this.#request('')).participants.some((each) => (each.id ?? each) === name)) {
      if (Date.now() > deadline) {
        throw new Error(`'${name}' did not connect within ${timeout / 1000} s`);
      }
      await pause(200);
    }
  }

  #send(envelope) {
    return this.#request('/messages', { method: 'POST', body: JSON.stringify({ protocol: 'mcpx/v0.1', ...envelope }) });
  }

  async #request(path, options) {
    const response = await fetch(this.base + path, { headers: this.headers, ...options });
    // 409: the proposal was withdrawn a moment ago.
    if (!response.ok && response.status !== 409) {
      throw new Error(`the reviewer got ${response.status} for ${path}: ${await response.text()}`);
    }
    return response.json();
  }
}
