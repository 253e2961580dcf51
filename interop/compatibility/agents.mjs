// Coding agents with a model that does what the cases say (model.mjs). Each agent runs in a home directory of its own. No agent
// reaches a service.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { offline, start, within } from './children.mjs';
import { folder } from './gavel.mjs';
import { startModel } from './model.mjs';

const PROMPT = 'Use the tools.';
const installed = (path) => join(folder, 'agents/node_modules', path);
const platform = `${process.platform}-${process.arch}`;

// Starts an agent. 'prepare' writes its configuration and returns {command, env}.
export async function startAgent(prepare, { gavel, token, timeout, work, patience = 100_000 }) {
  const model = await startModel();
  const home = mkdtempSync(join(work, 'home-'));
  const project = join(home, 'project');
  mkdirSync(project);
  const write = (path, content) => {
    mkdirSync(join(home, path, '..'), { recursive: true });
    writeFileSync(join(home, path), typeof content === 'string' ? content : JSON.stringify(content));
  };
  const { command, env } = prepare({ url: gavel.url, token, timeout, model: model.url, home, project, write });
  const program = start(command, {
    cwd: project,
    stdin: 'ignore',
    env: {
      PATH: process.env.PATH,
      LANG: 'C.UTF-8',
      TERM: 'dumb',
      HOME: home,
      ...offline,
      ...env,
    },
  });
  let out = '';
  program.child.stdout.on('data', (data) => (out = (out + data).slice(-20_000)));
  const ended = program.ended.then(({ code }) => {
    const words = `${program.said()} ${out}`.replace(/\s+/g, ' ').trim().slice(-300);
    throw new Error(`the agent ended with ${code}: ${words} ${model.refused().join(', ')}`);
  });
  ended.catch(() => {});
  const next = () => within(patience, Promise.race([model.turn(), ended]), 'the agent did not ask the model');
  let turn;
  return {
    async tools() {
      turn ??= await next();
      return turn.tools;
    },
    async call(tool, given) {
      turn ??= await next();
      const name = turn.tools.find((each) => each.endsWith(tool));
      if (!name) {
        throw new Error(`the agent does not offer the tool '${tool}' to the model`);
      }
      turn.call(name, given);
      turn = undefined;
      turn = await next();
      return turn.result ?? { content: [] };
    },
    async close() {
      turn?.finish();
      await within(5_000, program.ended).catch(() => {});
      await program.stop();
      model.stop();
    },
  };
}

export function claudeCode({ url, token, timeout, model, home, write }) {
  write('mcp.json', { mcpServers: { gavel: { type: 'http', url, headers: { Authorization: `Bearer ${token}` } } } });
  return {
    command: [
      installed(`@anthropic-ai/claude-code-${platform}/claude`),
      '-p',
      PROMPT,
      '--mcp-config',
      join(home, 'mcp.json'),
      '--strict-mcp-config',
      '--allowedTools',
      'mcp__gavel',
    ],
    env: {
      ANTHROPIC_BASE_URL: model,
      ANTHROPIC_API_KEY: 'not-a-key',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      DISABLE_TELEMETRY: '1',
      ENABLE_TOOL_SEARCH: 'false',
      ...(timeout ? { MCP_TOOL_TIMEOUT: String(timeout) } : {}),
    },
  };
}

export function codex({ url, token, timeout, model, write }) {
  write(
    '.codex/config.toml',
    `model = "gpt-5.1"
model_provider = "scripted"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
[analytics]
enabled = false
[model_providers.scripted]
name = "scripted"
base_url = "${model}/v1"
wire_api = "responses"
env_key = "MODEL_KEY"
[mcp_servers.gavel]
url = "${url}"
bearer_token_env_var = "GAVEL_TOKEN"
${timeout ? `tool_timeout_sec = ${timeout / 1000}` : ''}
`,
  );
  return {
    command: [process.execPath, installed('@openai/codex/bin/codex.js'), 'exec', '--skip-git-repo-check', PROMPT],
    env: { MODEL_KEY: 'not-a-key', GAVEL_TOKEN: token },
  };
}

export function geminiCli({ url, token, timeout, model, write }) {
  write('.gemini/settings.json', {
    privacy: { usageStatisticsEnabled: false },
    general: { disableAutoUpdate: true, disableUpdateNag: true, enableAutoUpdate: false },
    telemetry: { enabled: false },
    security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
    mcpServers: {
      gavel: { httpUrl: url, headers: { Authorization: `Bearer ${token}` }, trust: true, ...(timeout ? { timeout } : {}) },
    },
  });
  return {
    command: [
      process.execPath,
      installed('@google/gemini-cli/bundle/gemini.js'),
      '-m',
      'gemini-2.5-flash',
      '--approval-mode',
      'yolo',
      '-p',
      PROMPT,
    ],
    env: { GEMINI_API_KEY: 'not-a-key', GOOGLE_GEMINI_BASE_URL: model, GEMINI_CLI_TRUST_WORKSPACE: 'true' },
  };
}

export function opencode({ url, token, timeout, model, write }) {
  write('.config/opencode/opencode.json', {
    $schema: 'https://opencode.ai/config.json',
    autoupdate: false,
    share: 'disabled',
    model: 'anthropic/claude-sonnet-4-5',
    provider: { anthropic: { options: { baseURL: `${model}/v1`, apiKey: 'not-a-key' } } },
    mcp: {
      gavel: {
        type: 'remote',
        url,
        oauth: false,
        headers: { Authorization: `Bearer ${token}` },
        ...(timeout ? { timeout } : {}),
      },
    },
    permission: 'allow',
  });
  return {
    command: [installed(`opencode-${platform}/bin/opencode`), 'run', PROMPT],
    env: {
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
    },
  };
}

export function copilot({ url, token, timeout, model, home, write }) {
  write('.copilot/mcp-config.json', {
    mcpServers: {
      gavel: {
        type: 'http',
        url,
        tools: ['*'],
        headers: { Authorization: `Bearer ${token}` },
        ...(timeout ? { timeout } : {}),
      },
    },
  });
  return {
    command: [installed(`@github/copilot-${platform}/copilot`), '-p', PROMPT, '--allow-all-tools', '--no-auto-update'],
    env: {
      COPILOT_HOME: join(home, '.copilot'),
      COPILOT_OFFLINE: 'true',
      COPILOT_AUTO_UPDATE: 'false',
      COPILOT_PROVIDER_TYPE: 'anthropic',
      COPILOT_PROVIDER_BASE_URL: model,
      COPILOT_PROVIDER_API_KEY: 'not-a-key',
      COPILOT_MODEL: 'claude-sonnet-4.5',
    },
  };
}
