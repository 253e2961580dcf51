// The Responses API of OpenAI.
import { image, text } from './model.mjs';

const usage = {
  input_tokens: 1,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 1,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 2,
};
const item = ({ id, tool, input, text: words }) =>
  tool
    ? {
        type: 'function_call',
        id: `fc_${id}`,
        call_id: id,
        name: tool.short,
        namespace: tool.namespace,
        arguments: JSON.stringify(input),
        status: 'completed',
      }
    : {
        type: 'message',
        id: 'msg_1',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: words, annotations: [] }],
      };
const response = (step, { model }, status) => ({
  id: 'resp_1',
  object: 'response',
  created_at: 0,
  model,
  status,
  output: status === 'completed' ? [item(step)] : [],
  usage: status === 'completed' ? usage : null,
});

export const openai = {
  matches: (path) => /\/responses(\?|$)/.test(path),
  streams: (_, body) => body.stream === true,
  // A namespace is a group of tools.
  tools: ({ tools }) =>
    (tools ?? []).flatMap((each) =>
      each.type === 'namespace'
        ? each.tools.map(({ name }) => ({ name: `${each.name}${name}`, short: name, namespace: each.name }))
        : [{ name: each.name ?? each.type, short: each.name }],
    ),
  result({ input }) {
    const last = (Array.isArray(input) ? input : []).filter(({ type }) => type === 'function_call_output').at(-1);
    return last && { content: parts(last.output) };
  },
  whole: (step, body) => response(step, body, 'completed'),
  events: (step, body) => [
    { type: 'response.created', response: response(step, body, 'in_progress') },
    { type: 'response.output_item.added', output_index: 0, item: item(step) },
    { type: 'response.output_item.done', output_index: 0, item: item(step) },
    { type: 'response.completed', response: response(step, body, 'completed') },
  ],
};

function parts(output) {
  if (!Array.isArray(output)) {
    return [text(typeof output === 'string' ? output : JSON.stringify(output))];
  }
  return output.map((each) =>
    each.type === 'input_image' ? image(each.image_url.split(',')[1] ?? '') : text(each.text ?? JSON.stringify(each)),
  );
}
