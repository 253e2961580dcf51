// A model endpoint for coding agents, on the loopback address. It answers the Messages API of Anthropic, the Responses API of
// OpenAI and the API of Gemini. The model does nothing by itself: each turn of the agent waits until the caller says which tool
// the model calls, or that it has finished.
//
//   const model = await startModel();
//   const turn = await model.turn();      the agent asks the model: {tools, result}
//   turn.call('mcp__gavel__greet', {...}) the model calls a tool; the next turn has its result
//   turn.finish()                         the model ends the conversation
import { createHash, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { anthropic } from './model-anthropic.mjs';
import { gemini } from './model-gemini.mjs';
import { openai } from './model-openai.mjs';

const APIS = [anthropic, openai, gemini];

export async function startModel() {
  const turns = [];
  const waiting = [];
  const refused = new Set();
  const push = (turn) => (waiting.length > 0 ? waiting.shift()(turn) : turns.push(turn));

  const server = createServer((request, response) => serve(request, response).catch((error) => response.destroy(error)));

  async function serve(request, response) {
    const parts = [];
    for await (const part of request) {
      parts.push(part);
    }
    const api = APIS.find((each) => request.method === 'POST' && each.matches(request.url));
    if (!api) {
      refused.add(`${request.method} ${request.url.split('?')[0]}`);
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":{"message":"not offered"}}');
      return;
    }
    const body = JSON.parse(decoded(Buffer.concat(parts), request.headers['content-encoding']));
    const stream = api.streams(request.url, body);
    const reply = (step) => {
      response.writeHead(200, { 'content-type': stream ? 'text/event-stream' : 'application/json' });
      response.end(stream ? api.events(step, body).map(event).join('') : JSON.stringify(api.whole(step, body)));
    };
    const tools = api.tools(body);
    if (!tools.some(({ name }) => name.endsWith('append'))) {
      // Agents also ask the model for other things, such as a title of the conversation.
      reply({ text: 'ok' });
      return;
    }
    push({
      tools: tools.map(({ name }) => name),
      result: api.result(body),
      call: (name, input) =>
        reply({ id: `call_${randomUUID().replaceAll('-', '')}`, tool: tools.find((each) => each.name === name), input }),
      finish: () => reply({ text: 'Done.' }),
    });
  }

  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    turn: () => (turns.length > 0 ? Promise.resolve(turns.shift()) : new Promise((resolve) => waiting.push(resolve))),
    // Requests that the model does not answer, for error messages.
    refused: () => [...refused],
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

const event = ({ type, ...rest }) =>
  `${type ? `event: ${type}\n` : ''}data: ${JSON.stringify(type ? { type, ...rest } : rest)}\n\n`;

function decoded(body, encoding) {
  const decode = { gzip: gunzipSync, zstd: zstdDecompressSync }[encoding];
  return (decode ? decode(body) : body).toString('utf8');
}

// A part of a tool's result, as the clients' drivers report it.
export const image = (base64) => ({
  type: 'image',
  sha256: createHash('sha256').update(Buffer.from(base64, 'base64')).digest('hex'),
});
export const text = (words) => ({ type: 'text', text: words });
