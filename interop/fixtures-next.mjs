// An MCP server with the tools, resources and prompts that the newest official conformance suite calls. It uses the SDK that
// supports MCP 2026-07-28.
//
//   node fixtures-next.mjs             over standard input and output
//   node fixtures-next.mjs --http      over Streamable HTTP at 127.0.0.1, on a free port; prints its URL
//
// The server creates no tasks. Gavel creates a task for each call that needs approval.
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import {
  acceptedContent,
  createMcpHandler,
  createRequestStateCodec,
  inputRequired,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import {
  completed,
  contents,
  listedPrompts,
  listedResources,
  listedTools,
  nothing,
  oneText,
  prompts,
  template,
  text,
  tools,
  user,
} from './offered.mjs';

// Signs the request state, so that a changed state is refused before it reaches a tool.
const state = createRequestStateCodec({ key: randomBytes(32) });

const form = (message, properties) =>
  inputRequired.elicit({ message, requestedSchema: { type: 'object', properties, required: Object.keys(properties) } });
const nameForm = (message = 'What is your name?') => form(message, { name: { type: 'string' } });
const sampled = (words, maxTokens) =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: text(words) }], maxTokens });

// Asks for the missing input and answers when all of it is there.
function asking(questions, answer, { sealed = false } = {}) {
  return async (_, caller) => {
    const given = caller.answers;
    const missing = Object.entries(questions).filter(([key]) => !given?.[key]);
    if (missing.length > 0) {
      return inputRequired({
        inputRequests: Object.fromEntries(missing),
        ...(sealed ? { requestState: await state.mint({ asked: Object.keys(questions) }) } : {}),
      });
    }
    return { content: [text(answer(given))] };
  };
}

const accepted = (given, key, field) => acceptedContent(given, key)?.[field];

const asksName = asking({ user_name: nameForm() }, (given) => `Hello, ${accepted(given, 'user_name', 'name')}!`);

// Whether each list has an additional entry. Each change toggles it.
const more = { tools: false, prompts: false };

// As in offered.mjs, but a handler can return a complete result.
const newTools = {
  greet: ['Greets a person by name.', oneText('name'), ({ name }) => [text(`Hello, ${name}!`)]],
  slow_compute: [
    'Runs for the given number of seconds.',
    { type: 'object', properties: { seconds: { type: 'number' }, label: { type: 'string' } }, required: ['seconds'] },
    async ({ seconds, label }, caller) => {
      await pause(seconds * 1000, undefined, { signal: caller.signal });
      return [text(`${label ?? 'it'} took ${seconds} s`)];
    },
  ],
  failing_job: [
    'Always fails.',
    nothing,
    () => {
      throw new Error('this job fails intentionally');
    },
  ],
  protocol_error_job: [
    'Returns a protocol error.',
    nothing,
    () => {
      throw new ProtocolError(ProtocolErrorCode.InternalError, 'this job returns a protocol error intentionally');
    },
  ],
  confirm_delete: [
    'Asks for confirmation. It deletes nothing.',
    oneText('filename'),
    asking({ confirm: form('Delete it?', { confirm: { type: 'boolean' } }) }, () => 'deleted'),
  ],
  multi_input: [
    'Asks two questions at once.',
    nothing,
    asking({ first: nameForm('The first?'), second: nameForm('The second?') }, () => 'both answered'),
  ],
  test_tool_with_task: ['Asks for a name and ends.', nothing, asksName],
  test_input_required_result_elicitation: ['Asks the user for a name.', nothing, asksName],
  test_input_required_result_sampling: [
    'Asks the model for a capital.',
    nothing,
    asking(
      { capital_question: sampled('What is the capital of France?', 100) },
      (given) => given.capital_question.content.text,
    ),
  ],
  test_input_required_result_list_roots: [
    'Asks for the roots.',
    nothing,
    asking({ client_roots: inputRequired.listRoots() }, (given) => JSON.stringify(given.client_roots.roots)),
  ],
  test_input_required_result_request_state: [
    'Asks, and checks that the client returns the state.',
    nothing,
    asking({ confirm: form('Please confirm', { ok: { type: 'boolean' } }) }, () => 'state-ok', { sealed: true }),
  ],
  test_input_required_result_multiple_inputs: [
    'Asks the user, the model and for roots in one request.',
    nothing,
    asking(
      { user_name: nameForm(), greeting: sampled('Generate a greeting', 50), client_roots: inputRequired.listRoots() },
      () => 'all answered',
      { sealed: true },
    ),
  ],
  test_input_required_result_multi_round: [
    'Asks two questions, one after the other.',
    nothing,
    async (_, caller) => {
      const before = caller.state();
      if (before === undefined || !caller.answers) {
        return inputRequired({
          inputRequests: { step1: nameForm('Step 1: What is your name?') },
          requestState: await state.mint({ round: 1 }),
        });
      }
      if (before.round === 1) {
        return inputRequired({
          inputRequests: { step2: form('Step 2: What is your favorite color?', { color: { type: 'string' } }) },
          requestState: await state.mint({ round: 2, name: accepted(caller.answers, 'step1', 'name') }),
        });
      }
      return { content: [text(`${before.name} likes ${accepted(caller.answers, 'step2', 'color')}`)] };
    },
  ],
  test_input_required_result_tampered_state: [
    'Refuses a state that it did not create.',
    nothing,
    asking({ confirm: form('Please confirm', { ok: { type: 'boolean' } }) }, () => 'confirmed', { sealed: true }),
  ],
  test_input_required_result_capabilities: [
    'Asks only for input that the client supports.',
    nothing,
    (_, caller) => {
      const questions = {
        elicitation: nameForm(),
        sampling: sampled('Say something.', 50),
        roots: inputRequired.listRoots(),
      };
      return inputRequired({
        inputRequests: Object.fromEntries(Object.entries(questions).filter(([ability]) => caller.abilities?.[ability])),
      });
    },
  ],
  test_missing_capability: [
    'Requires sampling.',
    nothing,
    (_, caller) => {
      if (!caller.abilities?.sampling) {
        throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } });
      }
      return [text('there is sampling')];
    },
  ],
  test_streaming_elicitation: [
    'Reports progress and asks.',
    nothing,
    async (given, caller) => {
      await caller.progress(1, 2);
      return asksName(given, caller);
    },
  ],
  test_logging_tool: [
    'Logs a line if the client requests logs.',
    nothing,
    async (_, caller) => {
      await caller.log('a line');
      return [text('logged')];
    },
  ],
  test_trigger_tool_change: [
    'Adds a tool to the list or removes it.',
    nothing,
    async (_, caller) => {
      more.tools = !more.tools;
      await caller.changed('tools');
      return [text('the list of tools is another')];
    },
  ],
  test_trigger_prompt_change: [
    'Adds a prompt to the list or removes it.',
    nothing,
    async (_, caller) => {
      more.prompts = !more.prompts;
      await caller.changed('prompts');
      return [text('the list of prompts is another')];
    },
  ],
  test_x_mcp_header: [
    'Requires an argument also in a header.',
    {
      type: 'object',
      properties: { region: { type: 'string', 'x-mcp-header': 'Region' }, query: { type: 'string' } },
      required: ['region'],
    },
    ({ region }) => [text(`in ${region}`)],
  ],
};

const newPrompts = {
  test_input_required_result_prompt: [
    'A prompt that asks.',
    [],
    (_, caller) => {
      const context = accepted(caller.answers, 'user_context', 'context');
      return context === undefined
        ? inputRequired({
            inputRequests: { user_context: form('What context should the prompt use?', { context: { type: 'string' } }) },
          })
        : [user(text(`Think of ${context}.`))];
    },
  ],
};

const offered = () => ({
  ...tools,
  ...newTools,
  ...(more.tools ? { test_extra_tool: ['Comes and goes.', nothing, () => [text('here for now')]] } : {}),
});

const offeredPrompts = () => ({
  ...prompts,
  ...newPrompts,
  ...(more.prompts ? { test_extra_prompt: ['Comes and goes.', [], () => [user(text('Here for now.'))]] } : {}),
});

function none(what, name) {
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `unknown ${what} '${name}'`);
}

// Thrown by a tool that cannot continue without an answer of the client.
class Question extends Error {
  constructor(request) {
    super('the client has to answer first');
    this.result = inputRequired({ inputRequests: { question: request } });
  }
}

function answerOf({ inputResponses }, request) {
  if (!inputResponses?.question) {
    throw new Question(request);
  }
  return inputResponses.question;
}

function fixtures(changed) {
  const server = new Server(
    { name: 'gavel-conformance-fixtures', version: '2.0.0' },
    {
      capabilities: {
        tools: { listChanged: true },
        resources: { subscribe: true },
        prompts: { listChanged: true },
        logging: {},
        completions: {},
      },
      requestState: { verify: state.verify },
    },
  );
  const caller = ({ mcpReq }) => ({
    signal: mcpReq.signal,
    answers: mcpReq.inputResponses,
    state: mcpReq.requestState,
    abilities: mcpReq.envelope?.['io.modelcontextprotocol/clientCapabilities'] ?? server.getClientCapabilities(),
    log: (data) => mcpReq.log('info', data, 'fixtures'),
    progress: async (progress, total) => {
      const progressToken = mcpReq._meta?.progressToken;
      if (progressToken !== undefined) {
        await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total } });
      }
    },
    // In MCP 2026-07-28, a server has no requests of its own: the client calls again with the answer.
    sample: mcpReq.envelope
      ? async (params) => answerOf(mcpReq, inputRequired.createMessage(params))
      : mcpReq.requestSampling,
    elicit: mcpReq.envelope ? async (params) => answerOf(mcpReq, inputRequired.elicit(params)) : mcpReq.elicitInput,
    changed: (list) => changed(list, server),
  });
  const whole = (answer, field) => (Array.isArray(answer) ? { [field]: answer } : answer);

  server.setRequestHandler('tools/list', () => ({ tools: listedTools(offered()) }));
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const all = offered();
    const [, , answer] = Object.hasOwn(all, params.name) ? all[params.name] : none('tool', params.name);
    try {
      return whole(await answer(params.arguments ?? {}, caller(context)), 'content');
    } catch (error) {
      if (error instanceof Question) {
        return error.result;
      }
      if (error instanceof ProtocolError) {
        throw error;
      }
      return { isError: true, content: [text(error.message)] };
    }
  });
  server.setRequestHandler('resources/list', () => ({ resources: listedResources() }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [template] }));
  server.setRequestHandler('resources/read', ({ params }) => {
    const found = contents(params.uri);
    if (!found) {
      throw new ResourceNotFoundError(params.uri);
    }
    return found;
  });
  server.setRequestHandler('resources/subscribe', () => ({}));
  server.setRequestHandler('resources/unsubscribe', () => ({}));
  server.setRequestHandler('prompts/list', () => ({ prompts: listedPrompts(offeredPrompts()) }));
  server.setRequestHandler('prompts/get', async ({ params }, context) => {
    const all = offeredPrompts();
    const [, , messages] = Object.hasOwn(all, params.name) ? all[params.name] : none('prompt', params.name);
    return whole(await messages(params.arguments ?? {}, caller(context)), 'messages');
  });
  server.setRequestHandler('completion/complete', ({ params }) => completed(params.argument.value));
  return server;
}

async function overHttp() {
  const { localhostHostValidation, localhostOriginValidation, toNodeHandler } = await import('@modelcontextprotocol/node');
  const handler = createMcpHandler(() =>
    fixtures((list) => (list === 'tools' ? handler.notify.toolsChanged() : handler.notify.promptsChanged())),
  );
  const serve = toNodeHandler(handler);
  const [host, origin] = [localhostHostValidation(), localhostOriginValidation()];
  const listening = createServer((request, response) => {
    if (host(request, response) && origin(request, response)) {
      void serve(request, response);
    }
  }).listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${listening.address().port}/mcp`));
}

if (process.argv[2] === '--http') {
  await overHttp();
} else {
  serveStdio(() =>
    fixtures((list, server) => (list === 'tools' ? server.sendToolListChanged() : server.sendPromptListChanged())),
  );
}
