// A small MCP server for tests of protocol versions: it reports the version that the client uses.
//
//   node eras.mjs new|both|old             over standard input and output
//   node eras.mjs new|both|old --http      over Streamable HTTP at 127.0.0.1, on a free port; prints its URL
//
// 'new' supports only MCP 2026-07-28, 'both' also supports earlier versions, and 'old' uses the SDK for earlier versions.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { Readable } from 'node:stream';

const [kind, way] = process.argv.slice(2);
const text = (words) => ({ content: [{ type: 'text', text: words }] });
const more = { tools: [], calledOff: 0 };

const tools = () => [
  { name: 'era', inputSchema: { type: 'object' } },
  {
    name: 'echo',
    inputSchema: {
      type: 'object',
      properties: { region: { type: 'string', 'x-mcp-header': 'Region' }, words: { type: 'string' } },
    },
  },
  ...['grow', 'touch', 'again', 'ask', 'never', 'off'].map((name) => ({ name, inputSchema: { type: 'object' } })),
  ...more.tools,
];

function never(signal) {
  return new Promise((_, reject) =>
    signal.addEventListener('abort', () => {
      more.calledOff++;
      reject(new Error('cancelled'));
    }),
  );
}

// --- with the SDK that supports MCP 2026-07-28

async function modern() {
  const { Server, createMcpHandler, inputRequired } = await import('@modelcontextprotocol/server');
  const legacy = { new: 'reject', both: way === '--http' ? 'stateless' : 'serve' }[kind];
  const make = (tell) => ({ era, requestInfo }) => {
    const server = new Server(
      { name: 'gavel-eras', version: '1.0.0' },
      { capabilities: { tools: { listChanged: true }, resources: { subscribe: true } } },
    );
    const news = tell ?? {
      toolsChanged: () => server.sendToolListChanged(),
      resourceUpdated: (uri) => server.sendResourceUpdated({ uri }),
    };
    const calls = {
      era: () => text(era),
      echo: ({ words }) => text(`${requestInfo?.headers.get('mcp-param-region') ?? 'no header'}: ${words}`),
      grow: async () => {
        more.tools = [{ name: 'grown', inputSchema: { type: 'object' } }];
        await news.toolsChanged();
        return text('grown');
      },
      touch: async ({ uri }) => {
        await news.resourceUpdated(uri);
        return text('touched');
      },
      again: (_, { mcpReq }) =>
        mcpReq.requestState?.() === 'twice'
          ? text('asked again')
          : inputRequired({ requestState: mcpReq.requestState?.() === 'once' ? 'twice' : 'once' }),
      ask: (_, { mcpReq }) =>
        mcpReq.inputResponses
          ? text(JSON.stringify(mcpReq.inputResponses))
          : inputRequired({
              inputRequests: {
                name: inputRequired.elicit({
                  message: 'What is your name?',
                  requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
                }),
              },
            }),
      never: async (_, { mcpReq }) => {
        const { progressToken } = mcpReq._meta;
        await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress: 1 } });
        return never(mcpReq.signal);
      },
      off: () => text(String(more.calledOff)),
    };
    server.setRequestHandler('tools/list', () => ({ tools: tools() }));
    server.setRequestHandler('tools/call', ({ params }, context) => calls[params.name](params.arguments ?? {}, context));
    server.setRequestHandler('resources/list', () => ({ resources: [{ uri: 'eras://one', name: 'one' }] }));
    server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }));
    return server;
  };
  if (way !== '--http') {
    const { serveStdio } = await import('@modelcontextprotocol/server/stdio');
    serveStdio(make(), { legacy });
    return;
  }
  const handler = createMcpHandler((context) => make(handler.notify)(context), { legacy });
  listen(async (request, response) => {
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    const answer = await handler.fetch(
      new Request(`http://127.0.0.1${request.url}`, {
        method: request.method,
        headers: request.headers,
        signal: gone.signal,
        ...(request.method === 'POST' ? { body: Readable.toWeb(request), duplex: 'half' } : {}),
      }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body) {
      Readable.fromWeb(answer.body).on('error', () => {}).pipe(response);
    } else {
      response.end();
    }
  });
}

// --- with the SDK for MCP 2025-11-25 and earlier

async function old() {
  const { Server } = await import('@modelcontextprotocol/sdk/server/index.js');
  const { ListToolsRequestSchema, CallToolRequestSchema } = await import('@modelcontextprotocol/sdk/types.js');
  const make = () => {
    const server = new Server({ name: 'gavel-eras', version: '1.0.0' }, { capabilities: { tools: { listChanged: true } } });
    server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools() }));
    server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
      if (params.name === 'grow') {
        more.tools = [{ name: 'grown', inputSchema: { type: 'object' } }];
        await server.sendToolListChanged();
      }
      return text(params.name === 'era' ? 'legacy' : JSON.stringify(params._meta ?? {}));
    });
    return server;
  };
  if (way !== '--http') {
    const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js');
    await make().connect(new StdioServerTransport());
    return;
  }
  const { StreamableHTTPServerTransport } = await import('@modelcontextprotocol/sdk/server/streamableHttp.js');
  const sessions = new Map();
  listen(async (request, response) => {
    let transport = sessions.get(request.headers['mcp-session-id']);
    if (!transport) {
      transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: () => randomUUID(),
        onsessioninitialized: (id) => sessions.set(id, transport),
      });
      await make().connect(transport);
    }
    await transport.handleRequest(request, response);
  });
}

function listen(serve) {
  const server = createServer((request, response) =>
    serve(request, response).catch((error) => {
      console.error(error);
      response.destroy();
    }),
  ).listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/mcp`));
}

await (kind === 'old' ? old() : modern());
