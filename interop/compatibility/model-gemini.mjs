// The API of Gemini.
import { image, text } from './model.mjs';

const answer = ({ tool, input, text: words }) => ({
  candidates: [
    {
      index: 0,
      finishReason: 'STOP',
      content: { role: 'model', parts: [tool ? { functionCall: { name: tool.name, args: input } } : { text: words }] },
    },
  ],
  usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
});

export const gemini = {
  matches: (path) => /:(stream)?generateContent(\?|$)/i.test(path),
  streams: (path) => /:streamGenerateContent/.test(path),
  tools: ({ tools }) => (tools ?? []).flatMap(({ functionDeclarations }) => functionDeclarations ?? []),
  result({ contents }) {
    const last = (contents ?? []).at(-1)?.parts ?? [];
    const responses = last.filter(({ functionResponse }) => functionResponse).map(({ functionResponse }) => functionResponse);
    if (responses.length === 0) {
      return undefined;
    }
    const media = [...last, ...responses.flatMap((each) => each.parts ?? [])].filter(({ inlineData }) => inlineData);
    return {
      content: [
        ...responses.map((each) => text(each.response?.output ?? JSON.stringify(each.response))),
        ...media.map(({ inlineData }) => image(inlineData.data)),
      ],
    };
  },
  whole: answer,
  events: (step) => [answer(step)],
};
