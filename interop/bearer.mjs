// Preloaded (node --import) into a client without an option for headers: sends the token in $MCP_TOKEN with every request.
import http from 'node:http';
import { Agent, setGlobalDispatcher } from 'undici';

const bearer = `Bearer ${process.env.MCP_TOKEN}`;

function withBearer(headers) {
  if (Array.isArray(headers)) {
    // Alternating names and values.
    return [...headers, 'authorization', bearer];
  }
  const pairs = typeof headers?.[Symbol.iterator] === 'function' ? Object.fromEntries(headers) : headers;
  return { ...pairs, authorization: bearer };
}

// Node's built-in fetch and the library undici share this global dispatcher.
setGlobalDispatcher(
  new Agent().compose(
    (dispatch) => (options, handler) => dispatch({ ...options, headers: withBearer(options.headers) }, handler),
  ),
);

const request = http.request;
http.request = (options, ...rest) => request({ ...options, headers: withBearer(options.headers) }, ...rest);
