// An MCP server with the tools, resources and prompts that the official conformance suite calls. It uses the SDK for MCP
// 2025-11-25 and earlier.
//
//   node fixtures.mjs             over standard input and output
//   node fixtures.mjs --http      over Streamable HTTP at 127.0.0.1, on a free port; prints its URL
import { randomUUID } from 'node:crypto';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  SetLevelRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import {
  completed,
  contents,
  listedPrompts,
  listedResources,
  listedTools,
  prompts,
  template,
  text,
  tools,
} from './offered.mjs';

function none(what, name) {
  throw new McpError(ErrorCode.InvalidParams, `unknown ${what} '${name}'`);
}

function caller(server, extra) {
  const progressToken = extra._meta?.progressToken;
  return {
    log: (data) =>
      extra.sendNotification({ method: 'notifications/message', params: { level: 'info', logger: 'fixtures', data } }),
    progress: async (progress, total) => {
      if (progressToken !== undefined) {
        await extra.sendNotification({ method: 'notifications/progress', params: { progressToken, progress, total } });
      }
    },
    sample: (params) => server.createMessage(params),
    elicit: (params) => server.elicitInput(params),
    breakStream: extra.closeSSEStream,
  };
}

function fixtures() {
  const server = new Server(
    { name: 'gavel-conformance-fixtures', version: '1.0.0' },
    { capabilities: { tools: {}, resources: { subscribe: true }, prompts: {}, logging: {}, completions: {} } },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: listedTools(tools) }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const [, , answer] = Object.hasOwn(tools, params.name) ? tools[params.name] : none('tool', params.name);
    try {
      return { content: await answer(params.arguments ?? {}, caller(server, extra)) };
    } catch (error) {
      return { isError: true, content: [text(error.message)] };
    }
  });
  server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: listedResources() }));
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates: [template] }));
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }) => contents(params.uri) ?? none('resource', params.uri));
  server.setRequestHandler(SubscribeRequestSchema, () => ({}));
  server.setRequestHandler(UnsubscribeRequestSchema, () => ({}));
  server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts: listedPrompts(prompts) }));
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) => {
    const [, , messages] = Object.hasOwn(prompts, params.name) ? prompts[params.name] : none('prompt', params.name);
    return { messages: messages(params.arguments ?? {}) };
  });
  server.setRequestHandler(CompleteRequestSchema, ({ params }) => completed(params.argument.value));
  server.setRequestHandler(SetLevelRequestSchema, () => ({}));
  return server;
}

async function overHttp() {
  const { createMcpExpressApp } = await import('@modelcontextprotocol/sdk/server/express.js');
  const { StreamableHTTPServerTransport } = await import('@modelcontextprotocol/sdk/server/streamableHttp.js');
  const sessions = new Map();
  const app = createMcpExpressApp({ host: '127.0.0.1' });
  app.all('/mcp', async (request, response) => {
    let transport = sessions.get(request.headers['mcp-session-id']);
    if (!transport) {
      transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (id) => sessions.set(id, transport),
      });
      await fixtures().connect(transport);
    }
    await transport.handleRequest(request, response, request.body);
  });
  const listening = app.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${listening.address().port}/mcp`));
}

if (process.argv[2] === '--http') {
  await overHttp();
} else {
  await fixtures().connect(new StdioServerTransport());
}
