// Starts a Gavel server from this checkout, and reviews proposals in its topic 'ops'.
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { run, start, within } from './children.mjs';

export const folder = dirname(fileURLToPath(import.meta.url));
export const TOPIC = 'ops';
const COMMAND = join(folder, '../../gavel');
const ANSWERS = ['mcp.response.*', 'mcp.request.notifications/*'];

// Starts a server with these members (name -> capabilities) and bridges (name -> settings). The member 'reviewer' decides.
export async function startGavel(work, { members, bridges }) {
  const tokens = Object.fromEntries(['reviewer', ...Object.keys(members)].map((name) => [name, randomBytes(24).toString('hex')]));
  mkdirSync(work, { recursive: true });
  const file = join(work, 'gavel.yaml');
  // JSON is also YAML.
  const configuration = {
    listen: '127.0.0.1:0',
    data: join(work, 'data'),
    limits: { rate: '100000/s', ask: 'off' },
    identities: Object.fromEntries(Object.entries(tokens).map(([name, token]) => [name, { token }])),
    topics: {
      [TOPIC]: {
        participants: {
          reviewer: ['*'],
          ...members,
          ...Object.fromEntries(Object.keys(bridges).map((name) => [name, ANSWERS])),
        },
      },
    },
    bridges: Object.fromEntries(Object.entries(bridges).map(([name, settings]) => [name, { topic: TOPIC, ...settings }])),
  };
  writeFileSync(file, JSON.stringify(configuration, undefined, 1), { mode: 0o600 });
  const server = start([COMMAND, 'serve', '--config', file], { cwd: work, stdin: 'ignore' });
  const address = await within(120_000, listening(server), 'Gavel did not start');
  const reviewer = new Reviewer(address, tokens.reviewer);
  return {
    address,
    url: `${address}/mcp/${TOPIC}`,
    tokens,
    reviewer,
    // Waits until a bridge is connected.
    async awaitParticipant(name) {
      const deadline = Date.now() + 60_000;
      while (!(await reviewer.participants()).includes(name)) {
        if (Date.now() > deadline) {
          throw new Error(`'${name}' did not connect: ${server.said().trim().slice(-400)}`);
        }
        await pause(200);
      }
    },
    said: server.said,
    stop: server.stop,
  };
}

export const command = [COMMAND, 'mcp', '--topic', TOPIC];

export const version = async () => (await run([COMMAND, '--version'])).out.trim().replace(/^gavel /, '');

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
  constructor(address, token) {
    this.base = `${address}/topics/${TOPIC}`;
    this.headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  }

  // The undecided proposals whose arguments contain this text, oldest first.
  async open(text) {
    const { proposals } = await this.#request('/proposals?state=open&limit=500');
    return proposals.filter(({ payload }) => JSON.stringify(payload).includes(text)).reverse();
  }

  async states(text) {
    const { proposals } = await this.#request('/proposals?limit=500');
    return proposals.filter(({ payload }) => JSON.stringify(payload).includes(text)).reverse().map(({ state }) => state);
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

  async participants() {
    return (await this.#request('')).participants.map((each) => each.id ?? each);
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
