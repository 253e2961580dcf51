package dev.gavel.bench.mcp;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.util.List;

/** MCP client that starts a server process and calls it over its standard input and output. Thread-safe. */
final class BenchStdioMcpClient implements BenchMcpClient {
    private final Process process;
    private final OutputStream out;
    private final BufferedReader in;

    private BenchStdioMcpClient(Process process) {
        this.process = process;
        this.out = process.getOutputStream();
        this.in = process.inputReader(UTF_8);
    }

    /** Starts a server process and a session with it. */
    static BenchStdioMcpClient start(List<String> command) throws IOException {
        BenchStdioMcpClient caller = new BenchStdioMcpClient(
                new ProcessBuilder(command).redirectError(Redirect.DISCARD).start());
        caller.request(BenchRpcMessages.INITIALIZE);
        caller.send(BenchRpcMessages.INITIALIZED);
        return caller;
    }

    private void send(String message) throws IOException {
        out.write((message + "\n").getBytes(UTF_8));
        out.flush();
    }

    @Override
    public synchronized String request(String request) throws IOException {
        send(request);
        String answer = in.readLine();
        if (answer == null) {
            throw new EOFException("the server ended before it answered");
        }
        return answer;
    }

    @Override
    public void close() throws IOException {
        try (in;
                out) {
            process.destroy();
        }
    }
}
