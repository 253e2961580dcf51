package dev.gavel.app.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.gavel.cli.CommandEnvironment;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests what the token and member commands send to a server and what they print. */
class AdminCommandsTest {
    private static final String CREATED_RESPONSE = """
            {"id":"k-1","name":"helper","token":"gvl_secret","expiresAt":"2030-01-01T00:00:00Z","topics":["ops"]}""";

    @TempDir
    Path directory;

    private record Answer(int status, String body) {}

    private final Map<String, Answer> answers = new ConcurrentHashMap<>();
    private final BlockingQueue<String> requests = new LinkedBlockingQueue<>();
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            String request =
                    exchange.getRequestMethod() + " " + exchange.getRequestURI().getRawPath();
            requests.add(request + " " + new String(exchange.getRequestBody().readAllBytes(), UTF_8));
            Answer answer = answers.getOrDefault(request, new Answer(404, "{\"code\":\"not_found\",\"detail\":\"?\"}"));
            byte[] body = answer.body().getBytes(UTF_8);
            exchange.sendResponseHeaders(answer.status(), body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private RunningCommand.Result run(String... words) throws Exception {
        return RunningCommand.start(
                        directory,
                        Map.of(
                                "GAVEL_URL",
                                "http://127.0.0.1:" + server.getAddress().getPort(),
                                "GAVEL_TOKEN",
                                "alice-0123456789abcdef"),
                        words)
                .awaitEnd();
    }

    @Test
    void aTokenAloneIsOnStandardOutput() throws Exception {
        answers.put("POST /tokens", new Answer(201, CREATED_RESPONSE));
        RunningCommand.Result result = run(
                "token",
                "create",
                "helper",
                "--topic",
                "ops",
                "--capability",
                "mcp.proposal.*",
                "--capability",
                "{\"kind\":\"mcp.request.tools/call:read\",\"payload\":{\"params\":{\"arguments\":{\"path\":\"/tmp/*\"}}}}",
                "--role",
                "maintainer",
                "--expires",
                "30d");
        assertThat(result)
                .isEqualTo(new RunningCommand.Result(
                        0,
                        "gvl_secret\n",
                        "token k-1 for helper, expires 2030-01-01T00:00:00Z; it will not be shown again\n"));
        assertThat(requests.take())
                .isEqualTo("POST /tokens {\"name\":\"helper\",\"topic\":\"ops\",\"capabilities\":[\"mcp.proposal.*\","
                        + "{\"kind\":\"mcp.request.tools/call:read\",\"payload\":{\"params\":{\"arguments\":{\"path\":\"/tmp/*\"}}}}],"
                        + "\"roles\":[\"maintainer\"],\"expiresIn\":\"30d\"}");
        assertThat(run("token", "create", "helper", "--json").out()).isEqualTo(CREATED_RESPONSE + "\n");
        requests.clear();
    }

    @Test
    void aPersonIsToldHowToUseAToken() throws Exception {
        answers.put("POST /tokens", new Answer(201, CREATED_RESPONSE));
        Map<String, String> environment = Map.of(
                "GAVEL_URL",
                "http://127.0.0.1:" + server.getAddress().getPort(),
                "GAVEL_TOKEN",
                "gvl_admin0123456789",
                "NO_COLOR",
                "1");
        var out = new java.io.StringWriter();
        GavelCommands.run(
                new CommandEnvironment(environment::get, directory, true, ZoneOffset.UTC),
                new java.io.PrintWriter(out),
                new java.io.PrintWriter(out),
                "token",
                "create",
                "helper");
        assertThat(out.toString())
                .startsWith("gvl_secret\ntoken k-1 for helper")
                .contains("--token file:PATH", "gavel token revoke helper --id k-1");
    }

    @Test
    void aCapabilityThatMatchesNothingIsAWarning() throws Exception {
        answers.put("POST /tokens", new Answer(201, CREATED_RESPONSE));
        RunningCommand.Result result =
                run("token", "create", "helper", "--topic", "ops", "--capability", "tools.call.read_*");
        assertThat(result.exit()).isZero();
        assertThat(result.err())
                .contains("gavel: warning: capability 'tools.call.read_*' matches nothing: 'tools' is not a protocol.");
    }

    @Test
    void whatCannotBeMeantIsRefusedBeforeAnybodyIsAsked() throws Exception {
        assertThat(run("token", "create", "helper", "--capability", "x").err())
                .isEqualTo("gavel: --capability needs --topic\n");
        assertThat(run("token", "create", "helper", "--expires", "soon").err())
                .isEqualTo("gavel: 'soon' is not a duration such as 90s, 5m, 2h or 1d\n");
        assertThat(run("token", "create", "helper", "--topic", "ops", "--capability", "{\"knd\":1}")
                        .err())
                .contains("is not a valid pattern");
        assertThat(run("member", "set", "ops", "helper").exit()).isEqualTo(2);
        assertThat(run("token", "revoke", "helper", "--id", " "))
                .isEqualTo(new RunningCommand.Result(
                        2, "", "gavel: --id is empty. Name one token, or omit --id to revoke all tokens.\n"));
        assertThat(requests).isEmpty();
    }

    @Test
    void tokensAreListedWithoutTheDeadUnlessAskedFor() throws Exception {
        Instant now = Instant.now();
        answers.put(
                "GET /tokens",
                new Answer(
                        200,
                        "{\"tokens\":[{\"id\":\"configured\",\"name\":\"alice\",\"state\":\"active\",\"source\":\"configuration\","
                                + "\"roles\":[\"admin\"],\"topics\":[\"ops\"]},{\"id\":\"k-2\",\"name\":\"helper\","
                                + "\"state\":\"revoked\",\"createdAt\":\"" + now.minusSeconds(7200)
                                + "\",\"createdBy\":\"alice\","
                                + "\"expiresAt\":\"" + now.plusSeconds(90_000) + "\"}]}"));
        assertThat(run("token", "list").out()).isEqualTo("""
                NAME   STATE   ID          ROLES  TOPICS  CREATED  EXPIRES
                alice  active  configured  admin  ops     -        never
                1 revoked or expired; use --all to show them
                """);
        assertThat(run("token", "list", "--all").out())
                .contains("helper  revoked  k-2         -      -       2h ago by alice  -\n");
        assertThat(run("token", "list", "--json").json().at("tokens").elements())
                .hasSize(1);
    }

    @Test
    void tokensAreRevokedAllOrOne() throws Exception {
        answers.put("DELETE /tokens/helper", new Answer(200, "{\"name\":\"helper\",\"revoked\":[\"k-1\",\"k-2\"]}"));
        answers.put("DELETE /tokens/helper/k-2", new Answer(200, "{\"name\":\"helper\",\"revoked\":[\"k-2\"]}"));
        answers.put(
                "DELETE /tokens/alice",
                new Answer(409, "{\"code\":\"last_admin\",\"detail\":\"no admin would be left\"}"));
        assertThat(run("token", "revoke", "helper").out()).isEqualTo("revoked k-1, k-2 of helper\n");
        assertThat(run("token", "revoke", "helper", "--id", "k-2").out()).isEqualTo("revoked k-2 of helper\n");
        assertThat(run("token", "revoke", "alice"))
                .isEqualTo(new RunningCommand.Result(1, "", "gavel: no admin would be left (last_admin)\n"));
    }

    @Test
    void rolesAreSetOrTakenAway() throws Exception {
        answers.put("PUT /tokens/carol/roles", new Answer(200, "{\"name\":\"carol\",\"roles\":[\"admin\"]}"));
        assertThat(run("token", "roles", "carol", "--role", "admin").out()).isEqualTo("carol has these roles: admin\n");
        answers.put("PUT /tokens/carol/roles", new Answer(200, "{\"name\":\"carol\",\"roles\":[]}"));
        assertThat(run("token", "roles", "carol").out()).isEqualTo("carol has no roles\n");
        assertThat(run("token", "roles", "carol", "--json").out()).isEqualTo("{\"name\":\"carol\",\"roles\":[]}\n");
        assertThat(requests)
                .containsExactly(
                        "PUT /tokens/carol/roles {\"roles\":[\"admin\"]}",
                        "PUT /tokens/carol/roles {\"roles\":[]}",
                        "PUT /tokens/carol/roles {\"roles\":[]}");
    }

    @Test
    void membersAreListedSetRemovedAndReset() throws Exception {
        String member =
                "{\"id\":\"helper\",\"capabilities\":[\"chat.*\",{\"kind\":\"x\"}],\"here\":true,\"source\":\"run-time\"}";
        answers.put("GET /topics/ops/members", new Answer(200, "{\"members\":[" + member + "]}"));
        answers.put("PUT /topics/ops/members/helper", new Answer(200, member));
        answers.put("DELETE /topics/ops/members/helper", new Answer(200, "{\"id\":\"helper\"}"));
        answers.put("POST /topics/ops/members/helper/reset", new Answer(200, "{\"id\":\"helper\"}"));
        assertThat(run("member", "list", "ops").out()).isEqualTo("""
                NAME    CONNECTED  SOURCE    CAPABILITIES
                helper  yes        run-time  chat.*, {"kind":"x"}
                """);
        assertThat(run("member", "set", "ops", "helper", "--capability", "chat.*")
                        .out())
                .isEqualTo("helper has these capabilities in ops: chat.*, {\"kind\":\"x\"}\n");
        assertThat(run("member", "remove", "ops", "helper").out()).isEqualTo("removed helper from ops\n");
        assertThat(run("member", "reset", "ops", "helper").out())
                .isEqualTo("removed helper from ops: not in the configuration\n");
        assertThat(requests)
                .containsExactly(
                        "GET /topics/ops/members ",
                        "PUT /topics/ops/members/helper {\"capabilities\":[\"chat.*\"]}",
                        "DELETE /topics/ops/members/helper ",
                        "POST /topics/ops/members/helper/reset ");
    }
}
