import { createMCPClient } from '@ai-sdk/mcp';
import { Experimental_StdioMCPTransport as StdioMCPTransport } from '@ai-sdk/mcp/mcp-stdio';

export async function connect({ url, token, command, timeout }) {
  const client = await createMCPClient({
    transport: command
      ? new StdioMCPTransport({ command: command[0], args: command.slice(1), env: process.env })
      : { type: 'http', url, headers: { Authorization: `Bearer ${token}` } },
  });
  const tools = await client.tools();
  return {
    tools: async () => Object.keys(tools),
    // The client has no time-out of its own. The AI SDK cancels a call with a signal.
    call: (name, args) =>
      tools[name].execute(args, {
        toolCallId: 'call',
        messages: [],
        abortSignal: timeout ? AbortSignal.timeout(timeout) : undefined,
      }),
    close: () => client.close(),
  };
}
