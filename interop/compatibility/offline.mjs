// Preloaded (node --import) into third-party programs: they connect only to this machine.
import net from 'node:net';

const LOCAL = new Set([undefined, 'localhost', '127.0.0.1', '::1']);
const connect = net.Socket.prototype.connect;

net.Socket.prototype.connect = function (...words) {
  // Node.js itself calls this method with one array.
  const [first, second] = Array.isArray(words[0]) ? words[0] : words;
  const host = typeof first === 'object' ? first.host : typeof second === 'string' ? second : undefined;
  if (LOCAL.has(host ?? undefined)) {
    return connect.apply(this, words);
  }
  const error = Object.assign(new Error(`connect ECONNREFUSED ${host}: offline`), { code: 'ECONNREFUSED' });
  process.nextTick(() => this.destroy(error));
  return this;
};
