// The clients that interop/clients tries: a name for the command line, a title and version for the table, and how to connect.
import { join } from 'node:path';
import { claudeCode, codex, copilot, geminiCli, opencode, startAgent } from './agents.mjs';
import { drive, oneShot } from './connections.mjs';
import { folder } from './gavel.mjs';
import { javaClient, kotlinClient, mavenVersion, packageVersion } from './install.mjs';

const module = (path) => join(folder, 'clients/node_modules', path);

// A client in clients/NAME.mjs.
const script = (name) => [process.execPath, join(folder, 'clients/driver.mjs'), name];
const javascript = (name, title, dependency, settings = {}) => ({
  name: settings.stdio ? `${name}-stdio` : name,
  title: settings.stdio ? `${title} (stdio)` : title,
  packages: 'clients',
  version: packageVersion('clients', dependency),
  open: async (context) => drive(script(name), { ...context, ...settings }),
});

// A program that offers the server over standard input and output, used with the TypeScript SDK 1.
const proxy = (name, title, words) => ({
  name,
  title,
  packages: 'clients',
  version: packageVersion('clients', name),
  open: async (context) => drive(script('ts-sdk-1'), { ...context, through: [process.execPath, ...words(context)] }),
});

const jvm = (name, title, command, settings = {}) => ({
  name: settings.stdio ? `${name}-stdio` : name,
  title: settings.stdio ? `${title} (stdio)` : title,
  version: mavenVersion(name),
  open: async (context) => drive(await command(), { ...context, ...settings }),
});
const javaSdk = (name, settings) => jvm(name, 'Java SDK', () => javaClient(name, 'JavaSdk'), settings);

const agent = (name, title, dependency, prepare, more = {}) => ({
  name,
  title,
  packages: 'agents',
  version: packageVersion('agents', dependency),
  // An agent needs some seconds to start a call and to hand its result to the model.
  hurry: 15_000,
  open: (context) => startAgent(prepare, context),
  ...more,
});

const inspector = {
  name: 'inspector',
  title: 'Inspector, --cli',
  version: packageVersion('..', '@modelcontextprotocol/inspector'),
  hurry: 10_000,
  open: async ({ gavel, token, timeout, work }) =>
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
      { cwd: work, env: { ...process.env, MCP_CATALOG_PATH: join(work, 'no-catalog.json') }, timeout },
    ),
};

export const clients = [
  javascript('ts-sdk-1', 'TypeScript SDK 1', '@modelcontextprotocol/sdk'),
  javascript('ts-sdk-1', 'TypeScript SDK 1', '@modelcontextprotocol/sdk', { stdio: true }),
  javascript('ts-sdk-2', 'TypeScript SDK 2', '@modelcontextprotocol/client'),
  javascript('ts-sdk-2', 'TypeScript SDK 2', '@modelcontextprotocol/client', { stdio: true }),
  javaSdk('java-sdk-2.0'),
  javaSdk('java-sdk-2.1'),
  javaSdk('java-sdk-2.1', { stdio: true }),
  jvm('spring-ai', 'Spring AI', () => javaClient('spring-ai', 'SpringAi')),
  jvm('langchain4j', 'langchain4j', () => javaClient('langchain4j', 'Langchain4j')),
  jvm('kotlin-sdk', 'Kotlin SDK', () => kotlinClient('kotlin-sdk', 'KotlinSdk')),
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
  javascript('langchain', 'LangChain JS', '@langchain/mcp-adapters'),
  javascript('mastra', 'Mastra', '@mastra/mcp'),
  javascript('ai-sdk', 'AI SDK', '@ai-sdk/mcp'),
  javascript('ai-sdk', 'AI SDK', '@ai-sdk/mcp', { stdio: true }),
  javascript('openai-agents', 'OpenAI Agents JS', '@openai/agents'),
  javascript('mcp-use', 'mcp-use', 'mcp-use'),
  agent('claude-code', 'Claude Code', '@anthropic-ai/claude-code', claudeCode, { resizes: true }),
  agent('codex', 'Codex', '@openai/codex', codex, { resizes: true }),
  agent('gemini-cli', 'Gemini CLI', '@google/gemini-cli', geminiCli),
  agent('opencode', 'opencode', 'opencode-ai', opencode, { resizes: true }),
  agent('copilot', 'Copilot CLI', '@github/copilot', copilot, { resizes: true }),
];

// Clients that this script cannot run.
export const notTried = [
  { title: 'Python clients', reason: 'not tried here: they come from PyPI, and this script uses npm and Maven Central' },
  { title: 'Desktop programs (Claude Desktop, Cursor, VS Code, Windsurf, Zed)', reason: 'not tried here: they need a desktop' },
];
