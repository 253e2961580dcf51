// Preloaded (node --import) by tests that start servers of others: whatever they listen on is this machine's alone.
import net from 'node:net';

const listen = net.Server.prototype.listen;

net.Server.prototype.listen = function (...words) {
  if (typeof words[0] === 'number' || typeof words[0] === 'string') {
    const callback = words.find(word => typeof word === 'function');
    return listen.call(this, { port: Number(words[0]), host: '127.0.0.1' }, callback);
  }
  return listen.apply(this, words);
};
