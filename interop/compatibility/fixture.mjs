// The MCP server behind a bridge that the clients call, over standard input and output.
//
//   node fixture.mjs FILE
//
// 'append' adds a line to FILE, so the file shows how often each call ran. 'picture' returns a PNG of 3 MB. 'stall' never answers and
// reports no progress.
import { appendFileSync } from 'node:fs';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { picture } from './picture.mjs';

const [file] = process.argv.slice(2);
const text = (words) => ({ content: [{ type: 'text', text: words }] });
const words = (description, property) => ({
  description,
  inputSchema: { type: 'object', properties: { [property]: { type: 'string' } }, required: [property] },
});

const tools = {
  greet: { ...words('Greets a person.', 'name'), run: ({ name }) => text(`Hello, ${name}!`) },
  append: {
    ...words('Adds a line to a file.', 'line'),
    run: ({ line }) => {
      appendFileSync(file, `${line}\n`);
      return text(`Added: ${line}`);
    },
  },
  stall: { ...words('Does not answer.', 'line'), run: () => new Promise(() => {}) },
  picture: {
    description: 'Returns a picture of 3 MB.',
    inputSchema: { type: 'object', properties: {} },
    run: () => ({ content: [{ type: 'image', data: picture().toString('base64'), mimeType: 'image/png' }] }),
  },
};

const server = new Server({ name: 'gavel-compatibility', version: '1.0.0' }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: Object.entries(tools).map(([name, { description, inputSchema }]) => ({ name, description, inputSchema })),
}));
server.setRequestHandler(CallToolRequestSchema, ({ params }) => tools[params.name].run(params.arguments ?? {}));
await server.connect(new StdioServerTransport());
