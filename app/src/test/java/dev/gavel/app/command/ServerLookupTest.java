package dev.gavel.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.gavel.app.TestServer;
import dev.gavel.cli.ClientOptions;
import dev.gavel.cli.CommandEnvironment;
import dev.gavel.cli.TokenSourcePolicy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

/** Tests how commands find a server and a token. */
class ServerLookupTest extends CommandTestBase {
    private static final String ALICE = "alice" + TestServer.SECRET;

    private RunningCommand.Result typed(Map<String, String> environment, String... words) throws Exception {
        return RunningCommand.start(directory, environment, words).awaitEnd();
    }

    @Test
    void aServerThatIsNotThereIsExitThree() throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        RunningCommand.Result result = typed(Map.of("GAVEL_LISTEN", "0.0.0.0:" + port), "proposals", "main");
        assertThat(result.exit()).isEqualTo(3);
        assertThat(result.err())
                .isEqualTo("gavel: cannot reach a server at http://127.0.0.1:" + port
                        + ". Start one with 'gavel serve', or set its URL with --url or GAVEL_URL.\n");
        assertThat(result.out()).isEmpty();
        RunningCommand.Result json = typed(Map.of("GAVEL_LISTEN", "0.0.0.0:" + port), "proposals", "main", "--json");
        assertThat(json.exit()).isEqualTo(3);
        assertThat(json.json().at("code").text()).isEqualTo("unreachable");
        assertThat(json.json().at("detail").text()).startsWith("cannot reach a server at ");
    }

    @Test
    void whatIsNoGatewayIsNotTakenForOne() throws Exception {
        HttpServer other = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        other.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            try (var body = exchange.getResponseBody()) {
                body.write("<html>".getBytes(StandardCharsets.UTF_8));
            }
        });
        other.start();
        try {
            String url = "http://127.0.0.1:" + other.getAddress().getPort();
            RunningCommand.Result result = typed(Map.of("GAVEL_URL", url), "proposals", "main");
            assertThat(result.exit()).isEqualTo(3);
            assertThat(result.err()).contains("(HTTP 200) is not a gateway");
        } finally {
            other.stop(0);
        }
    }

    @Test
    void anAddressThatIsNoneIsWrongUsage() throws Exception {
        RunningCommand.Result result = typed(Map.of(), "proposals", "main", "--url", "localhost:4285");
        assertThat(result.exit()).isEqualTo(2);
        assertThat(result.err()).contains("'localhost:4285' is not a server URL. Use http://HOST:PORT");
        assertThat(typed(Map.of(), "proposals", "main", "--url", "http://alice:hunter2@localhost:4285"))
                .returns(2, RunningCommand.Result::exit)
                .asString()
                .contains("'…@localhost:4285' is not a server URL")
                .doesNotContain("hunter2", "alice");
    }

    @Test
    void whoHasNoTokenIsToldHowToGiveOne() throws Exception {
        RunningCommand.Result result = typed(Map.of("GAVEL_URL", url()), "proposals", "ops");
        assertThat(result.exit()).isEqualTo(2);
        assertThat(result.err())
                .isEqualTo(
                        "gavel: the server at " + url()
                                + " requires a token. A person must log in with 'gavel login' in a terminal, or a script must set GAVEL_TOKEN (see docs/cli.md#which-token-a-command-uses)\n");
    }

    @Test
    void aWrongTokenIsWrongUsageAndNeverPrinted() throws Exception {
        RunningCommand.Result result =
                typed(Map.of("GAVEL_URL", url(), "GAVEL_TOKEN", "gvl_wrong0123456789"), "proposals", "ops");
        assertThat(result.exit()).isEqualTo(2);
        assertThat(result.err()).contains("does not accept this token").doesNotContain("gvl_wrong");
        RunningCommand.Result json =
                typed(Map.of("GAVEL_URL", url(), "GAVEL_TOKEN", "gvl_wrong0123456789"), "proposals", "ops", "--json");
        assertThat(json.exit()).isEqualTo(2);
        assertThat(json.json().at("code").text()).isEqualTo("unauthenticated");
        assertThat(json.out()).doesNotContain("gvl_wrong");
    }

    @Test
    void aTokenIsTakenFromAVariableOrAFile() throws Exception {
        Files.writeString(directory.resolve("token"), ALICE + "\n");
        assertThat(typed(Map.of("MINE", ALICE), "--url", url(), "--token", "env:MINE", "proposals", "ops"))
                .isEqualTo(new RunningCommand.Result(0, "no proposals in ops\n", ""));
        assertThat(typed(Map.of(), "proposals", "ops", "--url", url(), "--token", "file:token"))
                .isEqualTo(new RunningCommand.Result(0, "no proposals in ops\n", ""));
        RunningCommand.Result unset = typed(Map.of(), "proposals", "ops", "--url", url(), "--token", "env:MINE");
        assertThat(unset.exit()).isEqualTo(2);
        assertThat(unset.err()).isEqualTo("gavel: the environment variable MINE is not set\n");
        assertThat(typed(Map.of(), "proposals", "ops", "--url", url(), "--token", "file:nowhere")
                        .exit())
                .isEqualTo(2);
    }

    @Test
    void aTokenTypedOutIsWarnedAboutAndNotRepeated() throws Exception {
        RunningCommand.Result result = typed(Map.of(), "proposals", "ops", "--url", url(), "--token", ALICE);
        assertThat(result.exit()).isZero();
        assertThat(result.err()).startsWith("gavel: warning: ").doesNotContain(ALICE);
    }

    @Test
    void besideALocalServerReadingUsesTheTokenOfTheAgent() throws Exception {
        Path tokens = Files.createDirectories(directory.resolve(".gavel/tokens"));
        Files.writeString(tokens.resolve("you"), ALICE + "\n");
        assertThat(typed(Map.of("GAVEL_URL", url()), "proposals", "ops").exit()).isEqualTo(2);
        Files.writeString(tokens.resolve("agent"), "helper" + TestServer.SECRET + "\n");
        assertThat(typed(Map.of("GAVEL_URL", url()), "topic", "list", "--json").json())
                .extracting(json -> json.at("you").at("id").text())
                .isEqualTo("helper");
        assertThat(typed(Map.of("GAVEL_URL", url()), "propose", "ops", "--tool", "write_file", "--json")
                        .json()
                        .at("from")
                        .text())
                .isEqualTo("helper");
        Files.move(directory.resolve(".gavel"), directory.resolve("elsewhere"));
        assertThat(typed(Map.of("GAVEL_URL", url(), "GAVEL_DATA", "elsewhere"), "proposals", "ops")
                        .exit())
                .isZero();
    }

    @Test
    void aRefusedTokenOfTheAgentIsNamedByItsFile() throws Exception {
        Path tokens = Files.createDirectories(directory.resolve(".gavel/tokens"));
        Files.writeString(tokens.resolve("agent"), "stale" + TestServer.SECRET);
        RunningCommand.Result result = typed(Map.of("GAVEL_URL", url()), "proposals", "ops");
        assertThat(result.exit()).isEqualTo(2);
        assertThat(result.err()).contains("does not accept the token in .gavel/tokens/agent. A person must log in");
    }

    @Test
    void aTokenThatWasFoundIsNotSentToOtherMachines() throws Exception {
        Path tokens = Files.createDirectories(directory.resolve(".gavel/tokens"));
        Files.writeString(tokens.resolve("agent"), ALICE);
        CommandEnvironment here = new CommandEnvironment(name -> null, directory, false, java.time.ZoneOffset.UTC);
        assertThat(access(here, "http://gateway.example.org").token()).isEmpty();
        assertThat(access(here, "http://127.0.0.1:4285").token()).contains(ALICE);
    }

    private static dev.gavel.client.http.GatewayEndpoint access(CommandEnvironment here, String url) {
        CommandEnvironment there = new CommandEnvironment(
                name -> name.equals("GAVEL_URL") ? url : here.variables().apply(name),
                here.directory(),
                false,
                here.zone());
        return new ClientOptions()
                .endpoint(there, TokenSourcePolicy.LOGIN_OR_AGENT, warning -> {})
                .gateway();
    }

    @Test
    void aRedirectIsNotFollowedWithTheToken() throws Exception {
        BlockingQueue<String> requests = new LinkedBlockingQueue<>();
        HttpServer other = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        other.createContext("/", exchange -> {
            requests.add(exchange.getRequestURI().getPath());
            exchange.getResponseHeaders().set("Location", "/elsewhere");
            exchange.sendResponseHeaders(307, -1);
            exchange.close();
        });
        other.start();
        try {
            String url = "http://127.0.0.1:" + other.getAddress().getPort();
            assertThat(typed(Map.of("GAVEL_URL", url, "GAVEL_TOKEN", ALICE), "proposals", "main")
                            .exit())
                    .isEqualTo(3);
            assertThat(requests).containsExactly("/topics/main/proposals");
        } finally {
            other.stop(0);
        }
    }

    @Test
    void aConnectionThatBreaksBeforeTheAnswerIsTriedOnceMore() throws Exception {
        BlockingQueue<String> bodies = new LinkedBlockingQueue<>();
        try (ServerSocket broken = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> closeEachConnection(broken, bodies));
            String url = "http://127.0.0.1:" + broken.getLocalPort();
            RunningCommand.Result result =
                    typed(Map.of("GAVEL_URL", url, "GAVEL_TOKEN", ALICE), "withdraw", "main", "p-1");
            assertThat(result.exit()).isEqualTo(3);
            assertThat(result.err()).contains("the connection to the server at " + url + " was lost");
        }
        assertThat(bodies.stream().distinct()).hasSize(1);
        assertThat(bodies).hasSizeGreaterThan(1);
    }

    /** Reads each request completely and closes its connection without a response. */
    private static void closeEachConnection(ServerSocket broken, BlockingQueue<String> bodies) {
        try {
            while (true) {
                try (var socket = broken.accept()) {
                    StringBuilder request = new StringBuilder();
                    while (!request.toString().endsWith("}}")) {
                        request.append((char) socket.getInputStream().read());
                    }
                    bodies.add(request.substring(request.indexOf("{")));
                }
            }
        } catch (IOException e) {
            // The test is over.
        }
    }
}
