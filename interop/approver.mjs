// Approves every proposal in a topic immediately. One member runs all calls.
//
//   approve('http://127.0.0.1:4285', token, 'ops', 'files') resolves when the approver is connected
export function approve(address, token, topic, runBy) {
  const socket = new WebSocket(`${address.replace(/^http/, 'ws')}/ws?topic=${encodeURIComponent(topic)}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const fulfil = ({ id, kind, payload }) =>
    socket.send(
      JSON.stringify({
        protocol: 'mcpx/v0.1',
        id: `approved-${id}`,
        to: [runBy],
        kind: kind.replace('mcp.proposal.', 'mcp.request.'),
        correlationId: id,
        payload: { jsonrpc: '2.0', id: `approved-${id}`, method: payload.method, params: payload.params },
      }),
    );
  return new Promise((resolve, reject) => {
    socket.onerror = ({ message }) => reject(new Error(`the approver cannot join topic '${topic}': ${message}`));
    socket.onmessage = ({ data }) => {
      const envelope = JSON.parse(data);
      if (envelope.kind === 'system.welcome') {
        resolve(socket);
      } else if (envelope.kind.startsWith('mcp.proposal.')) {
        fulfil(envelope);
      }
    };
  });
}
