// The clients that interop/clients tries: a name for the command line, a title and version for the table, the setting that changes
// how long the client waits for a tool call, and how to connect.
import { join } from 'node:path';
import { claudeCode, codex, copilot, geminiCli, opencode, startAgent } from './agents.mjs';
import { drive, oneShot } from './connections.mjs';
import { folder } from './gavel.mjs';
import { javaClient, kotlinClient, mavenVersion, packageVersion } from './install.mjs';

const module = (path) => join(folder, 'clients/node_modules', path);

// A client in clients/NAME.mjs.
const script = (name) => [process.execPath, join(folder, 'clients/driver.mjs'), name];
const javascript = (name, title, dependency, limit, settings = {}) => ({
  name: settings.stdio ? `${name}-stdio` : name,
  title: settings.stdio ? `${title} (stdio)` : title,
  packages: 'clients',
  limit,
  version: packageVersion('clients', dependency),
  open: async (context) => drive(script(name), { ...context, ...settings }),
});

// A program that offers the server over standard input and output, used with the TypeScript SDK 1.
const proxy = (name, title, words) => ({
  name,
  title,
  packages: 'clients',
  version: packageVersion('clients', name),
  limit: 'that of the client that starts it',
  open: async (context) => drive(script('ts-sdk-1'), { ...context, through: [process.execPath, ...words(context)] }),
});

const jvm = (name, title, limit, command, settings = {}) => ({
  name: settings.stdio ? `${name}-stdio` : name,
  title: settings.stdio ? `${title} (stdio)` : title,
  limit,
  version: mavenVersion(name),
  open: async (context) => drive(await command(), { ...context, ...settings }),
});
const javaSdk = (name, settings) =>
  jvm(name, 'Java SDK', '`requestTimeout` of the client', () => javaClient(name, 'JavaSdk'), settings);

const agent = (name, title, dependency, prepare, limit, more = {}) => ({
  name,
  title,
  packages: 'agents',
  version: packageVersion('agents', dependency),
  limit,
  // An agent needs some seconds to start a call and to hand its result to the model.
  hurry: 15_000,
  open: (context) => startAgent(prepare, context),
  ...more,
});

const inspector = {
  name: 'inspector',
  title: 'Inspector, --cli',
  version: packageVersion('..', '@modelcontextprotocol/inspector'),
  limit: 'none',
  hurry: 10_000,
  open: async ({ gavel, token, timeout, work, patience }) =>
    oneShot(
      [
        process.execPath,
        join(folder, '../node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js'),
        '--cli',
        gavel.url,
        '--transport',
        'http',
        '--header',
        `Authorization: Bearer ${token}`,
        '--connect-timeout',
        '60000',
      ],
      // The Inspector would look for servers in the user's home directory.
      { cwd: work, env: { ...process.env, MCP_CATALOG_PATH: join(work, 'no-catalog.json') }, timeout, patience },
    ),
};

// The settings of clients in several rows.
const TS_SDK = '`timeout` of `callTool` (ms)';
const KTOR = '`requestTimeout` of Ktor, and `RequestOptions(timeout)` of `callTool`';
const AI_SDK = '`abortSignal` of the call';

export const clients = [
  javascript('ts-sdk-1', 'TypeScript SDK 1', '@modelcontextprotocol/sdk', TS_SDK),
  javascript('ts-sdk-1', 'TypeScript SDK 1', '@modelcontextprotocol/sdk', TS_SDK, { stdio: true }),
  javascript('ts-sdk-2', 'TypeScript SDK 2', '@modelcontextprotocol/client', TS_SDK),
  javascript('ts-sdk-2', 'TypeScript SDK 2', '@modelcontextprotocol/client', TS_SDK, { stdio: true }),
  javaSdk('java-sdk-2.0'),
  javaSdk('java-sdk-2.1'),
  javaSdk('java-sdk-2.1', { stdio: true }),
  jvm('spring-ai', 'Spring AI', '`spring.ai.mcp.client.request-timeout`', () => javaClient('spring-ai', 'SpringAi')),
  jvm('langchain4j', 'langchain4j', '`toolExecutionTimeout` of the client', () => javaClient('langchain4j', 'Langchain4j')),
  jvm('kotlin-sdk', 'Kotlin SDK', KTOR, () => kotlinClient('kotlin-sdk', 'KotlinSdk')),
  inspector,
  proxy('mcp-remote', 'mcp-remote', ({ gavel, token }) => [
    module('mcp-remote/dist/proxy.js'),
    gavel.url,
    '--header',
    `Authorization: Bearer ${token}`,
  ]),
  proxy('supergateway', 'supergateway', ({ gavel, token }) => [
    module('supergateway/dist/index.js'),
    '--streamableHttp',
    gavel.url,
    '--oauth2Bearer',
    token,
    '--logLevel',
    'none',
  ]),
  javascript('langchain', 'LangChain JS', '@langchain/mcp-adapters', '`defaultToolTimeout` of the server (ms)'),
  javascript('mastra', 'Mastra', '@mastra/mcp', '`timeout` of the client (ms)'),
  javascript('ai-sdk', 'AI SDK', '@ai-sdk/mcp', AI_SDK),
  javascript('ai-sdk', 'AI SDK', '@ai-sdk/mcp', AI_SDK, { stdio: true }),
  javascript('openai-agents', 'OpenAI Agents JS', '@openai/agents', '`timeout` of the server (ms)'),
  javascript('mcp-use', 'mcp-use', 'mcp-use', '`timeout` of `callTool` (ms)'),
  agent('claude-code', 'Claude Code', '@anthropic-ai/claude-code', claudeCode, '`MCP_TOOL_TIMEOUT` (ms)', { resizes: true }),
  agent('codex', 'Codex', '@openai/codex', codex, '`tool_timeout_sec` of the server', { resizes: true }),
  agent('gemini-cli', 'Gemini CLI', '@google/gemini-cli', geminiCli, '`timeout` of the server (ms)'),
  agent('opencode', 'opencode', 'opencode-ai', opencode, '`timeout` of the server (ms)', { resizes: true }),
  agent('copilot', 'Copilot CLI', '@github/copilot', copilot, '`timeout` of the server (ms)', { resizes: true }),
];

// Clients that this script cannot run.
export const notTried = [
  { title: 'Python clients', reason: 'not tried here: they come from PyPI, and this script uses npm and Maven Central' },
  { title: 'Desktop programs (Claude Desktop, Cursor, VS Code, Windsurf, Zed)', reason: 'not tried here: they need a desktop' },
];
