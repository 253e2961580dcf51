package dev.gavel.bench.mcp;

import dev.gavel.bench.ServerProcess;
import dev.gavel.bench.Workbench;
import dev.gavel.bench.reliability.Gavel;
import dev.gavel.bench.reliability.Patience;
import dev.gavel.bench.reliability.Setting;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A running Gavel with one topic, in which {@code caller} may call, {@code proposer} may only propose and {@code reviewer}
 * may approve; the tiny server is bridged into it over a pipe and over HTTP. Used by one thread.
 */
final class Stage {
    static final String PIPE_TOOL = "note_by_pipe";
    static final String HTTP_TOOL = "note_by_http";
    static final String PIPED = "piped";

    private static final String TOPIC = "bench";
    private static final String WEB = "web";
    private static final Duration START = Duration.ofSeconds(30);
    private static final Duration SOON = Duration.ofSeconds(30);

    private final Gavel gavel;
    private final InetSocketAddress web;

    private Stage(Gavel gavel, InetSocketAddress web) {
        this.gavel = gavel;
        this.web = web;
    }

    /** Starts everything, and returns when both tools can be called. */
    static Stage open(Workbench workbench, Path data) throws IOException, InterruptedException {
        ServerProcess tiny = workbench.start("tiny server", tiny("http", HTTP_TOOL), Map.of());
        InetSocketAddress web = tiny.address(START);
        Gavel gavel = new Gavel(workbench, "mcp", configuration(web), data, "-Xmx1g");
        gavel.start();
        Stage stage = new Stage(gavel, web);
        try (HttpCaller caller = stage.join("caller")) {
            for (String tool : List.of(PIPE_TOOL, HTTP_TOOL)) {
                Patience.need(tool + " can be called", SOON, () -> works(caller, tool));
            }
        }
        return stage;
    }

    private static boolean works(HttpCaller caller, String tool) {
        try {
            return Rpc.isDone(caller.ask(Rpc.call(1, tool)));
        } catch (IOException _) {
            return false;
        }
    }

    /** The command that starts the tiny server. */
    static List<String> tiny(String transport, String tool) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-Xmx64m",
                "-cp",
                System.getProperty("java.class.path"),
                TinyServer.class.getName(),
                transport,
                tool);
    }

    private static String configuration(InetSocketAddress web) {
        StringBuilder identities = new StringBuilder();
        for (String name : List.of("caller", "proposer", "reviewer")) {
            identities.append("  %s: {token: \"%s\", hold: 1h}\n".formatted(name, Setting.token(name)));
        }
        return """
                limits: {rate: 1000000/s, connections: 20000, open: 50000}
                identities:
                %stopics:
                  %s:
                    ttl: {default: 1h}
                    participants:
                      caller: ["mcp.request.*"]
                      proposer: ["mcp.proposal.*", "mcpx.withdraw.proposal"]
                      reviewer: ["*"]
                bridges:
                  %s: {topic: %s, command: ["%s"]}
                  %s: {topic: %s, url: "http://127.0.0.1:%d/mcp"}
                """.formatted(
                        identities,
                        TOPIC,
                        PIPED,
                        TOPIC,
                        String.join("\", \"", tiny("stdio", PIPE_TOOL)),
                        WEB,
                        TOPIC,
                        web.getPort());
    }

    Gavel gavel() {
        return gavel;
    }

    /** Where the tiny server can be called without Gavel. */
    InetSocketAddress web() {
        return web;
    }

    /** Somebody's MCP client, with a session of its own. */
    HttpCaller join(String identity) throws IOException {
        return HttpCaller.begin(gavel.address(), "/mcp/" + TOPIC, Setting.token(identity));
    }

    /** One more connection of a client. */
    HttpCaller again(String identity, String session) throws IOException {
        return HttpCaller.connect(gavel.address(), "/mcp/" + TOPIC, Setting.token(identity), session);
    }

    /** A connection of a client of the version without sessions. */
    HttpCaller stateless(String identity) throws IOException {
        return HttpCaller.stateless(gavel.address(), "/mcp/" + TOPIC, Setting.token(identity));
    }

    /** Brings the reviewer, who hears of proposals by WebSocket. */
    Reviewer reviewer() throws IOException, InterruptedException {
        return new Reviewer(gavel, TOPIC);
    }
}
