package dev.gavel.app.interop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcpx.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** Runs the official TypeScript SDK's client in a process and controls it line by line. */
final class TypeScriptSdkClient implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 40;

    private final Process process;
    private final Writer in;
    private final BlockingQueue<Json> events = new LinkedBlockingQueue<>();
    private final List<Json> passed = new ArrayList<>();
    private final Json ready;

    private TypeScriptSdkClient(Map<String, String> environment, String... arguments)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(InteropPrograms.script("client.mjs", arguments))
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putAll(environment);
        process = builder.start();
        in = process.outputWriter(UTF_8);
        BufferedReader out = process.inputReader(UTF_8);
        Thread.ofVirtual()
                .start(() ->
                        out.lines().map(line -> Json.parse(line).orElseThrow()).forEach(events::add));
        ready = next(
                event -> event.at("ready").isPresent() || event.at("failed").isPresent());
        assertThat(ready.at("failed").isPresent()).as(ready.raw()).isFalse();
    }

    /** Connects over Streamable HTTP. */
    static TypeScriptSdkClient over(String url, String token) throws IOException, InterruptedException {
        return new TypeScriptSdkClient(Map.of(), url, token);
    }

    /** Connects to the standard input and output of a command, which it starts. */
    static TypeScriptSdkClient over(List<String> command) throws IOException, InterruptedException {
        return over(command, Map.of());
    }

    /** Connects to a command that is started with these additional environment variables. */
    static TypeScriptSdkClient over(List<String> command, Map<String, String> environment)
            throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of("--"));
        arguments.addAll(command);
        return new TypeScriptSdkClient(environment, arguments.toArray(String[]::new));
    }

    /** The server's description of itself. */
    Json server() {
        return ready.at("ready");
    }

    /** Starts a call; its result has this name. */
    void call(String as, String tool, String arguments, boolean progress) throws IOException {
        send("{\"do\":\"call\",\"as\":\"" + as + "\",\"name\":\"" + tool + "\",\"arguments\":" + arguments
                + ",\"progress\":" + progress + "}");
    }

    /** Calls a tool and returns its result. */
    Json call(String tool, String arguments) throws IOException, InterruptedException {
        call(tool, tool, arguments, false);
        return result(tool);
    }

    Json request(String method) throws IOException, InterruptedException {
        return request(method, "{}");
    }

    Json request(String method, String params) throws IOException, InterruptedException {
        send("{\"do\":\"request\",\"as\":\"" + method + "\",\"method\":\"" + method + "\",\"params\":" + params + "}");
        return result(method);
    }

    List<String> tools() throws IOException, InterruptedException {
        return request("tools/list").at("tools").elements().stream()
                .map(tool -> tool.at("name").text())
                .toList();
    }

    void cancel(String as) throws IOException {
        send("{\"do\":\"cancel\",\"as\":\"" + as + "\"}");
    }

    /** Waits for the result of a call or request. */
    Json result(String as) throws InterruptedException {
        Json event = next(each -> each.at("as").text().equals(as)
                && (each.at("result").isPresent() || each.at("error").isPresent()));
        assertThat(event.at("error").isPresent()).as(event.raw()).isFalse();
        return event.at("result");
    }

    /** Waits for the error of a call or request. */
    Json error(String as) throws InterruptedException {
        Json event = next(each -> each.at("as").text().equals(as)
                && (each.at("result").isPresent() || each.at("error").isPresent()));
        assertThat(event.at("error").isPresent()).as(event.raw()).isTrue();
        return event.at("error");
    }

    Json progress(String as) throws InterruptedException {
        return next(each ->
                        each.at("as").text().equals(as) && each.at("progress").isPresent())
                .at("progress");
    }

    Json notification(String method) throws InterruptedException {
        return next(each -> each.at("notification").text().equals(method));
    }

    /** The first matching event that no caller has taken yet. */
    Json next(Predicate<Json> wanted) throws InterruptedException {
        for (Json event : passed) {
            if (wanted.test(event)) {
                passed.remove(event);
                return event;
            }
        }
        for (Json event = events.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
                event != null;
                event = events.poll(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            if (wanted.test(event)) {
                return event;
            }
            passed.add(event);
        }
        throw new AssertionError("the client did not say what was waited for, but " + passed);
    }

    private void send(String line) throws IOException {
        in.write(line + "\n");
        in.flush();
    }

    /** Kills the client. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    @Override
    public void close() throws IOException {
        if (process.isAlive()) {
            try {
                send("{\"do\":\"close\"}");
                if (process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                    return;
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            kill();
        }
    }
}
