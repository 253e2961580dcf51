// Names the component at fault in failures that are understood. All other failures are reported with their text only.
// Where a user can avoid the failure, the text says how.
const GIVES_UP =
  'it gives up without cancelling the call or closing its connection, so Gavel counts the result as received and the second ' +
  "call as a new one. With a `hold` that is shorter than the client's limit, the case passes";
const FAULTS = [
  {
    failure: /Unsupported content type: "image"/,
    fault: 'langchain4j: it does not accept images. Use another client for such tools',
  },
  {
    clients: ['copilot'],
    failure: /the client got no picture, but \[\{"type":"text","text":""\}\]/,
    fault: 'Copilot CLI: it does not pass the picture to a model of another provider',
  },
  {
    clients: ['java-sdk-2.0', 'java-sdk-2.1', 'java-sdk-2.1-stdio', 'spring-ai'],
    failure: /the call ran 2 times/,
    fault: `Java SDK: ${GIVES_UP}`,
  },
  { clients: ['ai-sdk-stdio'], failure: /the call ran 2 times/, fault: `AI SDK over stdio: ${GIVES_UP}` },
];

// Returns {fault, reason}: the component at fault, if it is known, and what happened.
export function explain(name, failure) {
  const known = FAULTS.find((each) => each.failure.test(failure) && (each.clients?.includes(name) ?? true));
  return { fault: known?.fault, reason: brief(known ? known.failure.exec(failure)[0] : failure) };
}

function brief(text) {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 240 ? `${line.slice(0, 240)}…` : line;
}
