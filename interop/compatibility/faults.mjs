// Names the component at fault in failures that are understood. All other failures are reported with their text only.
const FAULTS = [
  {
    failure: /Invalid SSE response.*retry:/s,
    fault: "Java SDK before 2.1: its parser of event streams fails on a line 'retry:'",
  },
  { failure: /The envelope has \d+ bytes, but the limit is \d+/, fault: 'Gavel: its size limit for an answer' },
  {
    failure: /did not connect.*\/sse answered HTTP 404/s,
    fault: 'Gavel: a bridge does not support the older transport (SSE)',
  },
  { failure: /Unsupported content type: "image"/, fault: 'langchain4j: it does not accept images' },
  {
    clients: ['copilot'],
    failure: /the client got no picture, but \[\{"type":"text","text":""\}\]/,
    fault: 'Copilot CLI: it does not pass the picture to a model of another provider',
  },
  { failure: /the call ran \d+ times/, fault: 'Gavel: a repeated call is another call' },
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
