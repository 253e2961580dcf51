package dev.gavel.app.command;

import dev.gavel.cli.CommandEnvironment;
import dev.gavel.mcpx.json.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A command line that runs on its own thread, whose output a test reads line by line. */
public final class RunningCommand {
    private final StringWriter err = new StringWriter();
    private final Lines out = new Lines();
    private final CompletableFuture<Integer> exit = new CompletableFuture<>();

    /** The result of a finished command. */
    public record Result(int exit, String out, String err) {
        public Json json() {
            return Json.parse(out).orElseThrow(() -> new AssertionError("no JSON document: " + out));
        }
    }

    /** Collects the output; can be closed like a pipe whose reader has gone. */
    private static final class Lines extends Writer {
        private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
        private final StringBuilder all = new StringBuilder();
        private final StringBuilder line = new StringBuilder();
        private volatile boolean closed;

        @Override
        public synchronized void write(char[] characters, int offset, int length) throws IOException {
            if (closed) {
                throw new IOException("nobody reads");
            }
            for (int i = offset; i < offset + length; i++) {
                all.append(characters[i]);
                if (characters[i] == '\n') {
                    lines.add(line.toString());
                    line.setLength(0);
                } else {
                    line.append(characters[i]);
                }
            }
        }

        synchronized String all() {
            return all.toString();
        }

        @Override
        public void flush() {}

        @Override
        public void close() {
            closed = true;
        }
    }

    private RunningCommand(CommandEnvironment here, String... words) {
        Thread.ofPlatform().daemon().start(() -> {
            try {
                exit.complete(GavelCommands.run(here, new PrintWriter(out), new PrintWriter(err, true), words));
            } catch (RuntimeException | Error e) {
                exit.completeExceptionally(e);
            }
        });
    }

    /** Starts a command in a directory, with only these variables set. */
    static RunningCommand start(Path directory, Map<String, String> environment, String... words) {
        return new RunningCommand(new CommandEnvironment(environment::get, directory, false, ZoneOffset.UTC), words);
    }

    /** As {@link #start}, at a terminal where a person gives this answer to each question. */
    static RunningCommand startAtTerminal(
            Path directory, Map<String, String> environment, String answer, String... words) {
        return new RunningCommand(
                new CommandEnvironment(
                        environment::get, directory, true, () -> ZoneOffset.UTC, question -> answer, false),
                words);
    }

    /** The next line of output that begins with this text. */
    String awaitLine(String beginning) throws InterruptedException {
        while (true) {
            String line = out.lines.poll(20, TimeUnit.SECONDS);
            if (line == null) {
                throw new AssertionError("no line begins with '" + beginning + "': " + out.all() + err);
            }
            if (line.startsWith(beginning)) {
                return line;
            }
        }
    }

    String err() {
        return err.toString();
    }

    /** Closes the pipe that the command prints to. */
    void closePipe() {
        out.close();
    }

    Result awaitEnd() throws Exception {
        int code = exit.get(40, TimeUnit.SECONDS);
        return new Result(code, out.all(), err.toString());
    }
}
