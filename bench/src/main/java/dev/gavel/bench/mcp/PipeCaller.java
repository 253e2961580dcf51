package dev.gavel.bench.mcp;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.util.List;

/** A server that is started and called over its standard input and output, one call at a time. Thread-safe. */
final class PipeCaller implements Caller {
    private final Process process;
    private final OutputStream out;
    private final BufferedReader in;

    private PipeCaller(Process process) {
        this.process = process;
        this.out = process.getOutputStream();
        this.in = process.inputReader(UTF_8);
    }

    /** Starts a server, and begins a session with it. */
    static PipeCaller start(List<String> command) throws IOException {
        PipeCaller caller = new PipeCaller(
                new ProcessBuilder(command).redirectError(Redirect.DISCARD).start());
        caller.ask(Rpc.INITIALIZE);
        caller.tell(Rpc.INITIALIZED);
        return caller;
    }

    private void tell(String message) throws IOException {
        out.write((message + "\n").getBytes(UTF_8));
        out.flush();
    }

    @Override
    public synchronized String ask(String request) throws IOException {
        tell(request);
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
