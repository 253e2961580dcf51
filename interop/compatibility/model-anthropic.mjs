// The Messages API of Anthropic.
import { image, text } from './model.mjs';

const usage = { input_tokens: 1, output_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
const start = ({ model }) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model,
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage,
});
const block = ({ id, tool, input, text: words }) =>
  tool ? { type: 'tool_use', id, name: tool.name, input } : { type: 'text', text: words };
const reason = ({ tool }) => (tool ? 'tool_use' : 'end_turn');

export const anthropic = {
  matches: (path) => /\/messages(\?|$)/.test(path),
  streams: (_, body) => body.stream === true,
  tools: ({ tools }) => tools ?? [],
  // Some agents send an image beside the tool's result.
  result({ messages }) {
    const blocks = messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
    const last = blocks.findLastIndex(({ type }) => type === 'tool_result');
    const images = blocks.slice(last + 1).filter(({ type }) => type === 'image');
    return last < 0
      ? undefined
      : { isError: blocks[last].is_error === true, content: [...parts(blocks[last].content), ...parts(images)] };
  },
  whole: (step, body) => ({ ...start(body), content: [block(step)], stop_reason: reason(step) }),
  events: (step, body) => [
    { type: 'message_start', message: start(body) },
    {
      type: 'content_block_start',
      index: 0,
      content_block: step.tool ? { ...block(step), input: {} } : { type: 'text', text: '' },
    },
    {
      type: 'content_block_delta',
      index: 0,
      delta: step.tool
        ? { type: 'input_json_delta', partial_json: JSON.stringify(step.input) }
        : { type: 'text_delta', text: step.text },
    },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: reason(step), stop_sequence: null }, usage },
    { type: 'message_stop' },
  ],
};

function parts(content) {
  if (!Array.isArray(content)) {
    return [text(content ?? '')];
  }
  return content.map((each) =>
    each.type === 'image' ? image(each.source.data ?? '') : text(each.text ?? JSON.stringify(each)),
  );
}
