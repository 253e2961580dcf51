// The tools, resources and prompts that the official conformance suites call. Several servers offer them.
import { setTimeout as pause } from 'node:timers/promises';

// An image of one red pixel, and an empty sound.
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC';
const SILENCE = Buffer.concat([
  Buffer.from('RIFF'),
  u32(36),
  Buffer.from('WAVEfmt '),
  u32(16),
  u16(1),
  u16(1),
  u32(8000),
  u32(8000),
  u16(1),
  u16(8),
  Buffer.from('data'),
  u32(0),
]).toString('base64');

function u32(number) {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(number);
  return bytes;
}

function u16(number) {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(number);
  return bytes;
}

export const text = (words) => ({ type: 'text', text: words });
const image = () => ({ type: 'image', data: PIXEL, mimeType: 'image/png' });
const embedded = (uri, mimeType, words) => ({ type: 'resource', resource: { uri, mimeType, text: words } });
export const nothing = { type: 'object', properties: {} };
export const oneText = (name) => ({ type: 'object', properties: { [name]: { type: 'string' } }, required: [name] });

const choices = (...pairs) => pairs.map(([value, title]) => ({ const: value, title }));

async function elicited(caller, message, properties, required = []) {
  const answer = await caller.elicit({ message, requestedSchema: { type: 'object', properties, required } });
  return `action=${answer.action}, content=${JSON.stringify(answer.content ?? {})}`;
}

// Each entry: description, input schema, handler. The server passes a caller to the handler, with the functions
// log(data), progress(done, total), sample(params), elicit(params) and breakStream().
export const tools = {
  test_simple_text: ['Returns a text.', nothing, () => [text('This is a simple text response for testing.')]],
  test_image_content: ['Returns an image.', nothing, () => [image()]],
  test_audio_content: ['Returns a sound.', nothing, () => [{ type: 'audio', data: SILENCE, mimeType: 'audio/wav' }]],
  test_embedded_resource: [
    'Returns a resource.',
    nothing,
    () => [embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  ],
  test_multiple_content_types: [
    'Returns a text, an image and a resource.',
    nothing,
    () => [
      text('Multiple content types test:'),
      image(),
      embedded('test://mixed-content-resource', 'application/json', JSON.stringify({ test: 'data', value: 123 })),
    ],
  ],
  test_tool_with_logging: [
    'Logs three lines while it runs.',
    nothing,
    async (_, caller) => {
      await caller.log('Tool execution started');
      await pause(50);
      await caller.log('Tool processing data');
      await pause(50);
      await caller.log('Tool execution completed');
      return [text('Logged three lines.')];
    },
  ],
  test_tool_with_progress: [
    'Reports progress three times if the client requests it.',
    nothing,
    async (_, caller) => {
      for (const progress of [0, 50, 100]) {
        await caller.progress(progress, 100);
        await pause(50);
      }
      return [text('Done.')];
    },
  ],
  test_error_handling: [
    'Always fails.',
    nothing,
    () => {
      throw new Error('This tool intentionally returns an error for testing');
    },
  ],
  test_sampling: [
    'Asks the client for a completion.',
    oneText('prompt'),
    async ({ prompt }, caller) => {
      const answer = await caller.sample({ messages: [{ role: 'user', content: text(prompt) }], maxTokens: 100 });
      return [text(`LLM response: ${answer.content.text}`)];
    },
  ],
  test_elicitation: [
    'Asks the user for a name and an email address.',
    oneText('message'),
    async ({ message }, caller) => [
      text(
        'User response: ' +
          (await elicited(
            caller,
            message,
            {
              username: { type: 'string', description: "User's response" },
              email: { type: 'string', description: "User's email address" },
            },
            ['username', 'email'],
          )),
      ),
    ],
  ],
  test_elicitation_sep1034_defaults: [
    'Asks the user with defaults for every type.',
    nothing,
    async (_, caller) => [
      text(
        'Elicitation completed: ' +
          (await elicited(caller, 'Please check the defaults.', {
            name: { type: 'string', default: 'John Doe' },
            age: { type: 'integer', default: 30 },
            score: { type: 'number', default: 95.5 },
            status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
            verified: { type: 'boolean', default: true },
          })),
      ),
    ],
  ],
  test_elicitation_sep1330_enums: [
    'Asks the user to choose, with every kind of enum.',
    nothing,
    async (_, caller) => [
      text(
        'Elicitation completed: ' +
          (await elicited(caller, 'Please choose.', {
            untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
            titledSingle: { type: 'string', oneOf: choices(['value1', 'First Option'], ['value2', 'Second Option']) },
            legacyEnum: { type: 'string', enum: ['opt1', 'opt2'], enumNames: ['Option One', 'Option Two'] },
            untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
            titledMulti: {
              type: 'array',
              items: { anyOf: choices(['value1', 'First Choice'], ['value2', 'Second Choice']) },
            },
          })),
      ),
    ],
  ],
  test_reconnection: [
    'Closes the event stream, if there is one, and returns a result later.',
    nothing,
    async (_, caller) => {
      caller.breakStream?.();
      // Long enough that a proxy in between starts an event stream.
      await pause(1500);
      return [text('Reconnection test completed successfully')];
    },
  ],
  json_schema_2020_12_tool: [
    'Tool with JSON Schema 2020-12 features',
    {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: {
        address: {
          $anchor: 'addressDef',
          type: 'object',
          properties: { street: { type: 'string' }, city: { type: 'string' } },
        },
      },
      properties: {
        name: { type: 'string' },
        address: { $ref: '#/$defs/address' },
        contactMethod: { type: 'string', enum: ['phone', 'email'] },
        phone: { type: 'string' },
        email: { type: 'string' },
      },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
      then: { required: ['phone'] },
      else: { required: ['email'] },
      additionalProperties: false,
    },
    (given) => [text(JSON.stringify(given))],
  ],
};

export const resources = {
  'test://static-text': ['text/plain', { text: 'This is the content of the static text resource.' }],
  'test://static-binary': ['image/png', { blob: PIXEL }],
  'test://watched-resource': ['text/plain', { text: 'This is watched.' }],
};

export const user = (content) => ({ role: 'user', content });

export const prompts = {
  test_simple_prompt: ['A prompt without arguments.', [], () => [user(text('This is a simple prompt for testing.'))]],
  test_prompt_with_arguments: [
    'A prompt with two arguments.',
    ['arg1', 'arg2'],
    ({ arg1, arg2 }) => [user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))],
  ],
  test_prompt_with_embedded_resource: [
    'A prompt with a resource in it.',
    ['resourceUri'],
    ({ resourceUri }) => [
      user(embedded(resourceUri, 'text/plain', 'Embedded resource content for testing.')),
      user(text('Please process the embedded resource above.')),
    ],
  ],
  test_prompt_with_image: [
    'A prompt with an image in it.',
    [],
    () => [user(image()), user(text('Please analyze the image above.'))],
  ],
};

export const completed = (value) => ({ completion: { values: [`${value}-completed`], total: 1, hasMore: false } });

export const template = {
  uriTemplate: 'test://template/{id}/data',
  name: 'template',
  description: 'Data about anything with an id.',
  mimeType: 'application/json',
};

export const listedTools = (offered) =>
  Object.entries(offered).map(([name, [description, inputSchema]]) => ({ name, description, inputSchema }));

export const listedResources = () =>
  Object.entries(resources).map(([uri, [mimeType]]) => ({
    uri,
    name: uri.slice('test://'.length),
    description: `A resource of ${mimeType}.`,
    mimeType,
  }));

export const listedPrompts = (offered) =>
  Object.entries(offered).map(([name, [description, names]]) => ({
    name,
    description,
    arguments: names.map((each) => ({ name: each, required: true })),
  }));

// Returns the contents of a resource, or undefined if there is no such resource.
export function contents(uri) {
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
  const [mimeType, content] = id
    ? ['application/json', { text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }) }]
    : Object.hasOwn(resources, uri)
      ? resources[uri]
      : [];
  return content && { contents: [{ uri, mimeType, ...content }] };
}
