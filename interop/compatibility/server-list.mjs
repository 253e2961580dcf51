// The servers that interop/servers tries: a name for the command line, a title and version for the table, how to start the server,
// a call with an expected answer, and a bad call. Servers that need an account get a made-up one: their answer is then an error of
// their own, since no server can reach a service.
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { offline } from './children.mjs';
import { folder } from './gavel.mjs';
import { packageVersion } from './install.mjs';

const node = process.execPath;
const bin = (name) => realpathSync(join(folder, 'servers/node_modules/.bin', name));
const loopback = ['--import', join(folder, '../loopback.mjs')];

// A server over standard input and output. 'bad' are arguments that do not match the tool's schema.
const stdio = (
  name,
  title,
  dependency,
  { program, file, args = [], env = {}, tool, arguments: given = {}, answer, bad = {}, version },
) => ({
  name,
  title,
  packages: 'servers',
  version: version ?? packageVersion('servers', dependency),
  tool,
  arguments: given,
  answer,
  bad,
  // WORK is the working directory.
  start: (work) => ({
    command: [node, file ?? bin(program), ...args.map((each) => each.replace('WORK', work))],
    env: {
      HOME: work,
      ...offline,
      ...Object.fromEntries(Object.entries(env).map(([key, value]) => [key, value.replace('WORK', work)])),
    },
  }),
});

// A server over HTTP. The script starts it at a free port, and Gavel connects to it.
const http = (name, title, dependency, { command, path, ...more }) => ({
  name,
  title,
  packages: 'servers',
  version: packageVersion('servers', dependency),
  ...more,
  listen: (port) => ({
    command: command(String(port)),
    env: { ...offline, PORT: String(port) },
    url: `http://127.0.0.1:${port}${path}`,
  }),
});

const everything = {
  tool: 'get-sum',
  arguments: { a: 19, b: 23 },
  answer: /The sum of 19 and 23 is 42/,
  bad: { a: 'nineteen' },
};
const unreachable = /fetch failed|failed|error|ECONNREFUSED|not found|unauthorized|invalid/i;

const sdk = (name, title, kind, dependency) =>
  stdio(name, title, undefined, {
    version: packageVersion('..', dependency),
    file: join(folder, '../eras.mjs'),
    args: [kind],
    tool: 'era',
    answer: /modern|legacy/,
    bad: undefined,
  });

export const servers = [
  stdio('everything', 'server-everything, stdio', '@modelcontextprotocol/server-everything', {
    program: 'mcp-server-everything',
    args: ['stdio'],
    ...everything,
  }),
  http('everything-http', 'server-everything, Streamable HTTP', '@modelcontextprotocol/server-everything', {
    command: () => [node, ...loopback, bin('mcp-server-everything'), 'streamableHttp'],
    path: '/mcp',
    ...everything,
  }),
  http('everything-sse', 'server-everything, SSE', '@modelcontextprotocol/server-everything', {
    command: () => [node, ...loopback, bin('mcp-server-everything'), 'sse'],
    path: '/sse',
    ...everything,
  }),
  stdio('filesystem', 'server-filesystem', '@modelcontextprotocol/server-filesystem', {
    program: 'mcp-server-filesystem',
    args: ['WORK'],
    tool: 'list_allowed_directories',
    answer: /Allowed directories/,
    bad: undefined,
    badTool: 'read_text_file',
  }),
  stdio('memory', 'server-memory', '@modelcontextprotocol/server-memory', {
    program: 'mcp-server-memory',
    env: { MEMORY_FILE_PATH: 'WORK/memory.jsonl' },
    tool: 'search_nodes',
    arguments: { query: 'x' },
    answer: /entities/,
    bad: { query: 1 },
  }),
  stdio('sequential-thinking', 'server-sequential-thinking', '@modelcontextprotocol/server-sequential-thinking', {
    program: 'mcp-server-sequential-thinking',
    env: { DISABLE_THOUGHT_LOGGING: 'true' },
    tool: 'sequentialthinking',
    arguments: { thought: 'one', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 },
    answer: /thoughtHistoryLength/,
    bad: { thought: 1 },
  }),
  {
    ...sdk('ts-sdk-1', 'TypeScript SDK 1, small server', 'old', '@modelcontextprotocol/sdk'),
    change: { tool: 'grow', adds: 'grown' },
  },
  {
    ...sdk('ts-sdk-2', 'TypeScript SDK 2, small server (MCP 2026-07-28)', 'new', '@modelcontextprotocol/server'),
    change: { tool: 'grow', adds: 'grown' },
  },
  http('supergateway', 'supergateway, server-everything over Streamable HTTP', 'supergateway', {
    command: (port) => [
      node,
      ...loopback,
      bin('supergateway'),
      '--stdio',
      `"${node}" "${bin('mcp-server-everything')}"`,
      '--outputTransport',
      'streamableHttp',
      '--stateful',
      '--port',
      port,
    ],
    path: '/mcp',
    ...everything,
  }),
  http('supergateway-sse', 'supergateway, server-everything over SSE', 'supergateway', {
    command: (port) => [
      node,
      ...loopback,
      bin('supergateway'),
      '--stdio',
      `"${node}" "${bin('mcp-server-everything')}"`,
      '--outputTransport',
      'sse',
      '--port',
      port,
    ],
    path: '/sse',
    ...everything,
  }),
  http('mcp-proxy', 'mcp-proxy, server-everything over Streamable HTTP', 'mcp-proxy', {
    command: (port) => [
      node,
      bin('mcp-proxy'),
      '--host',
      '127.0.0.1',
      '--port',
      port,
      '--',
      node,
      bin('mcp-server-everything'),
    ],
    path: '/mcp',
    ...everything,
  }),
  stdio('playwright', 'Playwright', '@playwright/mcp', {
    program: 'playwright-mcp',
    args: ['--headless', '--browser', 'chromium', '--executable-path', '/nonexistent'],
    tool: 'browser_tabs',
    arguments: { action: 'list' },
    answer: /nonexistent|Open tabs|executable/,
    bad: { action: 7 },
  }),
  stdio('chrome-devtools', 'Chrome DevTools', 'chrome-devtools-mcp', {
    program: 'chrome-devtools-mcp',
    args: ['--headless', '--executablePath', '/nonexistent', '--no-usage-statistics'],
    tool: 'list_pages',
    answer: /nonexistent|about:blank|Browser/i,
    bad: undefined,
    badTool: 'new_page',
  }),
  stdio('context7', 'Context7', '@upstash/context7-mcp', {
    program: 'context7-mcp',
    tool: 'resolve-library-id',
    arguments: { query: 'x', libraryName: 'x' },
    answer: unreachable,
    bad: { query: 1 },
  }),
  stdio('notion', 'Notion', '@notionhq/notion-mcp-server', {
    program: 'notion-mcp-server',
    env: { NOTION_TOKEN: 'ntn_none' },
    tool: 'API-get-self',
    answer: unreachable,
    bad: undefined,
    badTool: 'API-get-user',
  }),
  stdio('github', 'GitHub (npm)', '@modelcontextprotocol/server-github', {
    program: 'mcp-server-github',
    env: { GITHUB_PERSONAL_ACCESS_TOKEN: 'none' },
    tool: 'search_repositories',
    arguments: { query: 'x' },
    answer: unreachable,
    bad: { query: 1 },
  }),
  stdio('slack', 'Slack', '@modelcontextprotocol/server-slack', {
    program: 'mcp-server-slack',
    env: { SLACK_BOT_TOKEN: 'none', SLACK_TEAM_ID: 'none' },
    tool: 'slack_list_channels',
    answer: unreachable,
    bad: undefined,
    badTool: 'slack_post_message',
  }),
  stdio('tavily', 'Tavily', 'tavily-mcp', {
    program: 'tavily-mcp',
    env: { TAVILY_API_KEY: 'none' },
    tool: 'tavily_search',
    arguments: { query: 'x' },
    answer: unreachable,
    bad: {},
  }),
  stdio('mongodb', 'MongoDB', 'mongodb-mcp-server', {
    program: 'mongodb-mcp-server',
    env: { MDB_MCP_TELEMETRY: 'disabled' },
    tool: 'connect',
    arguments: { connectionString: 'mongodb://127.0.0.1:9/?serverSelectionTimeoutMS=500' },
    answer: unreachable,
    bad: { connectionString: 1 },
  }),
  stdio('postgres', 'PostgreSQL (npm)', '@modelcontextprotocol/server-postgres', {
    program: 'mcp-server-postgres',
    args: ['postgresql://127.0.0.1:9/none'],
    tool: 'query',
    arguments: { sql: 'select 1' },
    answer: unreachable,
    bad: undefined,
  }),
  stdio('kubernetes', 'Kubernetes (npm)', 'mcp-server-kubernetes', {
    program: 'mcp-server-kubernetes',
    tool: 'ping',
    answer: /./,
    bad: {},
    badTool: 'kubectl_get',
  }),
  stdio('eslint', 'ESLint', '@eslint/mcp', {
    file: join(folder, 'servers/node_modules/@eslint/mcp/src/mcp-cli.js'),
    tool: 'lint-files',
    arguments: { filePaths: ['/none.js'] },
    answer: /./,
    bad: { filePaths: 1 },
  }),
  stdio('chart', 'AntV Chart', '@antv/mcp-server-chart', {
    program: 'mcp-server-chart',
    tool: 'generate_pie_chart',
    arguments: { data: [{ category: 'a', value: 1 }] },
    answer: unreachable,
    bad: { data: 1 },
  }),
  stdio('figma', 'Figma (Framelink)', 'figma-developer-mcp', {
    program: 'figma-developer-mcp',
    args: ['--stdio', '--figma-api-key=none'],
    tool: 'get_figma_data',
    arguments: { fileKey: 'none' },
    answer: unreachable,
    bad: { fileKey: 1 },
  }),
  stdio('desktop-commander', 'Desktop Commander', '@wonderwhy-er/desktop-commander', {
    program: 'desktop-commander',
    args: ['--no-onboarding'],
    tool: 'list_sessions',
    answer: /./,
    bad: undefined,
    badTool: 'read_file',
  }),
  stdio('browsermcp', 'Browser MCP', '@browsermcp/mcp', {
    program: 'mcp-server-browsermcp',
    tool: 'browser_wait',
    arguments: { time: 0.1 },
    answer: /./,
    bad: { time: 'x' },
  }),
];

// Servers that this script cannot try.
export const notTried = [
  { title: 'Supabase', reason: 'it asks a service at the start, and ends without it' },
  { title: 'Servers from PyPI', reason: 'this script installs only npm packages' },
];
