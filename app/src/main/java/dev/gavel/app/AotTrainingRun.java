package dev.gavel.app;

import dev.gavel.app.command.GavelCommands;
import dev.gavel.app.config.DefaultServerConfig;
import dev.gavel.cli.CommandEnvironment;
import dev.gavel.cli.terminal.TerminalProbe;
import dev.gavel.web.identity.InitialTokenFiles;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.invoke.MethodHandles;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Runs typical commands once during the build to record the JVM's AOT cache, and fails the build if one does not work.
 */
final class AotTrainingRun {
    private static final int CHAT_MESSAGES = 2_000;

    private AotTrainingRun() {}

    public static void main(String[] arguments) {
        // Java's HTTP client reads this property when it is loaded.
        System.setProperty("jdk.httpclient.allowRestrictedHeaders", "host");
        try {
            train();
        } catch (IOException | InterruptedException | ReflectiveOperationException | RuntimeException e) {
            e.printStackTrace();
            // halt, not exit: the shutdown hook of a running server would end the process with exit code 0.
            Runtime.getRuntime().halt(1);
        }
        System.exit(0);
    }

    private static void train() throws IOException, InterruptedException, ReflectiveOperationException {
        // The cache must contain this class, although the training run does not call it.
        MethodHandles.lookup().ensureInitialized(Main.class);
        // The launcher answers --version from this file, without Java.
        String version = Files.readString(Path.of("version")).strip();
        if (!version.equals(runCommand("", "", "--version").strip())) {
            throw new IllegalStateException(
                    "the file 'version' contains '" + version + "', but the program prints another version");
        }
        // Every command that prints a table at a terminal queries its size. Without training this is the slowest part
        // of such a command.
        TerminalProbe.size();
        Path data = Files.createTempDirectory("gavel-rehearsal");
        try (HttpClient client = HttpClient.newHttpClient()) {
            InitialTokenFiles tokens = new InitialTokenFiles(data.resolve("unconfigured"));
            List<String> outputLines =
                    serve("--data", data.resolve("unconfigured").toString());
            loadInbox(client, signIn(outputLines));
            Path file = Files.writeString(data.resolve("gavel.yaml"), configuration(tokens));
            String address = address(serve(
                    "--config",
                    file.toString(),
                    "--data",
                    data.resolve("configured").toString()));
            HttpResponse<String> ready = client.send(
                    HttpRequest.newBuilder(URI.create("http://" + address + "/health/ready"))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            if (ready.statusCode() != 200) {
                throw new IllegalStateException("not ready: " + ready.body());
            }
            exchangeMessages(client, address, tokens);
            runCommands(address, tokens);
        } finally {
            try (Stream<Path> files = Files.walk(data)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }

    /** A typical configuration, with a rate limit high enough for all chat messages. */
    private static String configuration(InitialTokenFiles tokens) {
        return """
                limits: {ask: off, bytes: off, frame: 1MiB, rate: 1000000/s, connections: 10, open: 10}
                identities:
                  %1$s: {token: "file:%3$s", roles: [admin]}
                  %2$s: {token: "file:%4$s"}
                topics:
                  %5$s:
                    participants:
                      %1$s: ["*"]
                      %2$s: [chat.message, "mcp.proposal.*", mcpx.withdraw.proposal, "mcp.request.tools/call:read_*"]
                """.formatted(
                        DefaultServerConfig.OWNER,
                        DefaultServerConfig.AGENT,
                        tokens.file(DefaultServerConfig.OWNER).toAbsolutePath(),
                        tokens.file(DefaultServerConfig.AGENT).toAbsolutePath(),
                        DefaultServerConfig.TOPIC);
    }

    /**
     * Runs a gateway with {@code gavel serve} until this process ends, and returns the lines it prints once it listens.
     */
    private static List<String> serve(String... options) throws IOException {
        List<String> words = new ArrayList<>(List.of("serve", "--listen", "127.0.0.1:0"));
        words.addAll(List.of(options));
        PipedReader outputLines = new PipedReader(8192);
        PrintWriter out = new PrintWriter(new PipedWriter(outputLines), true);
        CommandEnvironment here = new CommandEnvironment(name -> null, Path.of(""), false, ZoneOffset.UTC);
        Thread.ofPlatform().daemon().name("serve").start(() -> {
            try (out) {
                GavelCommands.run(here, out, out, words.toArray(String[]::new));
            }
        });
        BufferedReader lines = new BufferedReader(outputLines);
        List<String> received = new ArrayList<>();
        // The command prints all of its lines at once.
        do {
            String line = lines.readLine();
            if (line == null) {
                throw new IllegalStateException("the server did not start: " + received);
            }
            received.add(line);
        } while (lines.ready() || received.size() < 2);
        return received;
    }

    private static String address(List<String> outputLines) {
        return outputLines.getFirst().replace("listening on http://", "");
    }

    private static URI signIn(List<String> outputLines) {
        return URI.create(outputLines.get(1).replaceFirst("^console: *(\\S+).*", "$1"));
    }

    /**
     * Signs in and loads the inbox, the first page that a browser requests. Java resolves names below {@code localhost}
     * only on some systems, so the requests go to the loopback address and name the console in their header.
     */
    private static void loadInbox(HttpClient client, URI link) throws IOException, InterruptedException {
        HttpResponse<String> signedIn = client.send(
                consoleRequest(link, "/sign-in")
                        .POST(HttpRequest.BodyPublishers.ofString(link.getRawQuery()))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        String cookie = signedIn.headers().firstValue("Set-Cookie").orElse("");
        HttpResponse<String> inbox = client.send(
                consoleRequest(link, "/")
                        .header("Cookie", cookie.replaceFirst(";.*", ""))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        if (inbox.statusCode() != 200) {
            throw new IllegalStateException("the inbox page was not served: " + inbox.statusCode());
        }
    }

    private static HttpRequest.Builder consoleRequest(URI link, String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + link.getPort() + path))
                .header("Host", link.getAuthority());
    }

    /** Runs the commands that people use most. Each command is a new JVM, so commands gain the most from the cache. */
    private static void runCommands(String address, InitialTokenFiles tokens) {
        String agent = "file:" + tokens.file(DefaultServerConfig.AGENT).toAbsolutePath();
        String id = runCommand(
                        address,
                        agent,
                        "propose",
                        DefaultServerConfig.TOPIC,
                        "--tool",
                        "test",
                        "--arg",
                        "a=b",
                        "--arg",
                        "n:=1")
                .lines()
                .findFirst()
                .orElseThrow()
                .replace("proposed ", "");
        String owner = "file:" + tokens.file(DefaultServerConfig.OWNER).toAbsolutePath();
        runCommand(address, owner, "topic", "list");
        runCommand(address, owner, "proposals", DefaultServerConfig.TOPIC);
        runCommand(address, owner, "proposals", DefaultServerConfig.TOPIC, "--json");
        runCommand(address, owner, "show", DefaultServerConfig.TOPIC, id);
        runCommand(address, owner, "status", DefaultServerConfig.TOPIC, id, "considering");
        runCommand(address, owner, "reject", DefaultServerConfig.TOPIC, id, "--reason", "rehearsal");
        runCommand(address, owner, "approve", "--help");
    }

    private static String runCommand(String address, String token, String... words) {
        Map<String, String> environment = Map.of("GAVEL_URL", "http://" + address, "GAVEL_TOKEN", token);
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandEnvironment here = new CommandEnvironment(environment::get, Path.of(""), false, ZoneOffset.UTC);
        if (GavelCommands.run(here, new PrintWriter(out), new PrintWriter(err), words) != 0) {
            throw new IllegalStateException(String.join(" ", words) + ": " + err);
        }
        return out.toString();
    }

    private static void exchangeMessages(HttpClient client, String address, InitialTokenFiles tokens)
            throws IOException, InterruptedException {
        // The listener receives the welcome, the join of the speaker, and every message.
        CountDownLatch received = new CountDownLatch(2 + CHAT_MESSAGES);
        WebSocket listener = connect(client, address, tokens, DefaultServerConfig.OWNER, received);
        WebSocket speaker = connect(client, address, tokens, DefaultServerConfig.AGENT, new CountDownLatch(0));
        for (int i = 0; i < CHAT_MESSAGES; i++) {
            speaker.sendText(
                            "{\"protocol\":\"mcpx/v0.1\",\"id\":\"r-" + i
                                    + "\",\"kind\":\"chat.message\",\"payload\":{\"text\":\"testing\"}}",
                            true)
                    .join();
        }
        if (!received.await(30, TimeUnit.SECONDS)) {
            throw new IllegalStateException("not every message arrived");
        }
        for (WebSocket socket : List.of(listener, speaker)) {
            socket.sendClose(WebSocket.NORMAL_CLOSURE, "").join();
        }
    }

    private static WebSocket connect(
            HttpClient client, String address, InitialTokenFiles tokens, String identity, CountDownLatch received)
            throws IOException {
        String token = Files.readString(tokens.file(identity)).strip();
        return client.newWebSocketBuilder()
                .header("Authorization", "Bearer " + token)
                .buildAsync(
                        URI.create("ws://" + address + "/ws?topic=" + DefaultServerConfig.TOPIC),
                        new WebSocket.Listener() {
                            @Override
                            public CompletionStage<?> onText(WebSocket socket, CharSequence text, boolean last) {
                                if (last) {
                                    received.countDown();
                                }
                                return WebSocket.Listener.super.onText(socket, text, last);
                            }
                        })
                .join();
    }
}
