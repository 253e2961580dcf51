package dev.gavel.app;

import dev.gavel.app.cli.GavelCommand;
import dev.gavel.app.cli.Surroundings;
import dev.gavel.app.config.Config;
import dev.gavel.app.config.Defaults;
import dev.gavel.app.config.Listen;
import dev.gavel.app.identity.TokenFiles;
import dev.gavel.app.server.Server;
import dev.gavel.app.terminal.Terminal;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Goes once through what Gavel does most, so that the JVM can note which classes and code that takes: the build runs it
 * to make the AOT cache. It also fails the build where the freshly built program does not work.
 */
final class Rehearsal {
    private static final int CHATS = 2_000;

    private Rehearsal() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        GavelCommand.run("--version");
        // Asked by every command that prints a table at a terminal; without rehearsal that is the slowest part of it.
        Terminal.size();
        Path data = Files.createTempDirectory("gavel-rehearsal");
        try (HttpClient client = HttpClient.newHttpClient()) {
            Config config = Defaults.config(data)
                    .withListen(new Listen("127.0.0.1", 0))
                    .withLimits(new Config.Limits(1024 * 1024, 1_000_000, 10, 10));
            try (Server server = Server.start(config, 2)) {
                HttpResponse<String> ready = client.send(
                        HttpRequest.newBuilder(URI.create("http://" + server.listen() + "/health/ready"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
                if (ready.statusCode() != 200) {
                    throw new IllegalStateException("not ready: " + ready.body());
                }
                chat(client, server, new TokenFiles(data));
                look(client, server);
                type(server, new TokenFiles(data));
            }
        } finally {
            try (Stream<Path> files = Files.walk(data)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    /** What a browser asks for first. */
    private static void look(HttpClient client, Server server) throws IOException, InterruptedException {
        URI link = server.links().signIn(Defaults.OWNER).orElseThrow();
        HttpResponse<String> signedIn = client.send(
                HttpRequest.newBuilder(link.resolve("/sign-in"))
                        .POST(HttpRequest.BodyPublishers.ofString(link.getRawQuery()))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        String cookie = signedIn.headers().firstValue("Set-Cookie").orElse("");
        HttpResponse<String> inbox = client.send(
                HttpRequest.newBuilder(link.resolve("/"))
                        .header("Cookie", cookie.replaceFirst(";.*", ""))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        if (inbox.statusCode() != 200) {
            throw new IllegalStateException("no inbox: " + inbox.statusCode());
        }
    }

    /** What people do at a terminal: every command is a start of its own, so these gain the most. */
    private static void type(Server server, TokenFiles tokens) {
        String agent = "file:" + tokens.file(Defaults.AGENT).toAbsolutePath();
        String id = typed(server, agent, "propose", Defaults.TOPIC, "--tool", "test", "--arg", "a=b", "--arg", "n:=1")
                .lines()
                .findFirst()
                .orElseThrow()
                .replace("proposed ", "");
        String owner = "file:" + tokens.file(Defaults.OWNER).toAbsolutePath();
        typed(server, owner, "topic", "list");
        typed(server, owner, "proposals", Defaults.TOPIC);
        typed(server, owner, "proposals", Defaults.TOPIC, "--json");
        typed(server, owner, "show", Defaults.TOPIC, id);
        typed(server, owner, "status", Defaults.TOPIC, id, "considering");
        typed(server, owner, "reject", Defaults.TOPIC, id, "--reason", "rehearsal");
        typed(server, owner, "approve", "--help");
    }

    private static String typed(Server server, String token, String... words) {
        Map<String, String> environment = Map.of("GAVEL_URL", "http://" + server.listen(), "GAVEL_TOKEN", token);
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        Surroundings here = new Surroundings(environment::get, Path.of(""), false, ZoneOffset.UTC);
        if (GavelCommand.run(here, new PrintWriter(out), new PrintWriter(err), words) != 0) {
            throw new IllegalStateException(String.join(" ", words) + ": " + err);
        }
        return out.toString();
    }

    private static void chat(HttpClient client, Server server, TokenFiles tokens)
            throws IOException, InterruptedException {
        // What is heard: the welcome, that the speaker joined, and every message.
        CountDownLatch heard = new CountDownLatch(2 + CHATS);
        WebSocket listener = connect(client, server, tokens, Defaults.OWNER, heard);
        WebSocket speaker = connect(client, server, tokens, Defaults.AGENT, new CountDownLatch(0));
        for (int i = 0; i < CHATS; i++) {
            speaker.sendText(
                            "{\"protocol\":\"mcpx/v0.1\",\"id\":\"r-" + i
                                    + "\",\"kind\":\"chat.message\",\"payload\":{\"text\":\"testing\"}}",
                            true)
                    .join();
        }
        if (!heard.await(30, TimeUnit.SECONDS)) {
            throw new IllegalStateException("not every message arrived");
        }
        for (WebSocket socket : List.of(listener, speaker)) {
            socket.sendClose(WebSocket.NORMAL_CLOSURE, "").join();
        }
    }

    private static WebSocket connect(
            HttpClient client, Server server, TokenFiles tokens, String identity, CountDownLatch heard)
            throws IOException {
        String token = Files.readString(tokens.file(identity)).strip();
        return client.newWebSocketBuilder()
                .header("Authorization", "Bearer " + token)
                .buildAsync(
                        URI.create("ws://" + server.listen() + "/ws?topic=" + Defaults.TOPIC),
                        new WebSocket.Listener() {
                            @Override
                            public CompletionStage<?> onText(WebSocket socket, CharSequence text, boolean last) {
                                if (last) {
                                    heard.countDown();
                                }
                                return WebSocket.Listener.super.onText(socket, text, last);
                            }
                        })
                .join();
    }
}
