// Preloaded (node --import) by tests that start servers of others: whatever they listen on is this machine's alone.
import net from 'node:net';

const listen = net.Server.prototype.listen;

net.Server.prototype.listen = function (...words) {
  if (typeof words[0] === 'number' || typeof words[0] === 'string') {
    const callback = words.find((word) => typeof word === 'function');
    if (callback) {
      this.once('listening', callback);
    }
    // What is behind listen, without looking up the address first: some ask for the port at once, as they may without a host.
    this._listen2('127.0.0.1', Number(words[0]), 4);
    return this;
  }
  return listen.apply(this, words);
};
