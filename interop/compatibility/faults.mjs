// Names the component at fault in failures that are understood. All other failures are shown as the client reports them.
const FAULTS = [
  {
    failure: /Invalid SSE response.*retry:/s,
    fault: "Java SDK before 2.1: its parser of event streams fails on a line 'retry:'",
  },
  { failure: /The envelope has \d+ bytes, but the limit is \d+/, fault: 'Gavel: its size limit for an answer' },
];

export function fault(client, failure) {
  const known = FAULTS.find((each) => each.failure.test(failure) && (each.clients?.includes(client) ?? true));
  return known ? `${known.fault} («${brief(known.failure.exec(failure)[0])}»)` : brief(failure);
}

function brief(text) {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 240 ? `${line.slice(0, 240)}…` : line;
}
