// Preloaded (node --import) into third-party servers in tests: they listen only on the loopback address.
import net from 'node:net';

const listen = net.Server.prototype.listen;

net.Server.prototype.listen = function (...words) {
  if (typeof words[0] === 'number' || typeof words[0] === 'string') {
    const callback = words.find((word) => typeof word === 'function');
    if (callback) {
      this.once('listening', callback);
    }
    // Calls the internal function behind listen, which does not resolve the address first: some servers read the port at once.
    this._listen2('127.0.0.1', Number(words[0]), 4);
    return this;
  }
  return listen.apply(this, words);
};
