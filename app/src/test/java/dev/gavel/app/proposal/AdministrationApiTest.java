package dev.gavel.app.proposal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.app.OpenApiDescription;
import dev.gavel.app.TestServer;
import dev.gavel.app.proposal.TestTopic.Answer;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that a real server's responses to admins, successes and errors, agree with its OpenAPI description: every
 * response is described, and every described response occurs.
 */
class AdministrationApiTest {
    private static final List<String> OPERATIONS = List.of(
            "GET /tokens",
            "POST /tokens",
            "DELETE /tokens/{name}",
            "DELETE /tokens/{name}/{id}",
            "PUT /tokens/{name}/roles",
            "GET /topics",
            "GET /topics/{topic}/members",
            "PUT /topics/{topic}/members/{name}",
            "DELETE /topics/{topic}/members/{name}",
            "POST /topics/{topic}/members/{name}/reset");

    /** Responses that only overload or failures cause. */
    private static final Set<String> RARE =
            Set.of("429 rate_limited", "500 internal_error", "503 not_durable", "503 unavailable");

    private static final String TOO_LONG = "x".repeat(65 * 1024);

    @TempDir
    private Path data;

    private TestTopic testTopic;
    private OpenApiDescription api;
    private final Map<String, Set<String>> answered = new HashMap<>();

    @BeforeEach
    void open() throws IOException, InterruptedException {
        Map<String, String> members = new LinkedHashMap<>(TestTopic.MEMBERS);
        members.put(TestTopic.TOKENLESS, "[\"chat.*\"]");
        testTopic = new TestTopic(data.resolve("room"), members);
        api = new OpenApiDescription(testTopic.text("/openapi.json"));
    }

    @AfterEach
    void close() throws IOException {
        testTopic.close();
    }

    /** Sends a request and checks that the response is the expected one and is described. */
    private void requestAndCheck(TestTopic where, String identity, String requestLine, String body, String expected)
            throws IOException, InterruptedException {
        String[] parts = requestLine.split(" ", 2);
        hold(requestLine, where.sendRequest(parts[0], identity, parts[1], body), expected);
    }

    private void requestAndCheck(String requestLine, String body, String expected)
            throws IOException, InterruptedException {
        requestAndCheck(testTopic, "alice", requestLine, body, expected);
    }

    private void hold(String requestLine, Answer answer, String expected) {
        String[] parts = requestLine.split(" ", 2);
        api.assertDescribed(parts[0].toLowerCase(Locale.ROOT), parts[1], answer.status(), answer.type(), answer.body());
        assertThat((answer.status() + " " + answer.code()).strip())
                .as(requestLine)
                .isEqualTo(expected);
        OPERATIONS.stream()
                .filter(operation -> requestLine.matches(operation.replaceAll("\\{\\w+}", "[^/]+")))
                .forEach(operation -> answered.computeIfAbsent(operation, it -> new TreeSet<>())
                        .add(expected));
    }

    /** Sends a request that no HTTP client library would send. */
    private void sendRaw(String requestLine, String headers, String expected) throws IOException {
        try (Socket socket = testTopic.socket()) {
            socket.getOutputStream()
                    .write((requestLine + " HTTP/1.1\r\nConnection: close\r\nContent-Length: 0\r\n" + headers + "\r\n")
                            .getBytes(UTF_8));
            String[] parts = new String(socket.getInputStream().readAllBytes(), UTF_8).split("\r\n\r\n", 2);
            String type = parts[0].replaceFirst("(?is).*\\ncontent-type: ([^\r]*).*", "$1");
            hold(
                    requestLine,
                    new Answer(Integer.parseInt(parts[0].split(" ", 3)[1]), type, TestEnvelope.JSON.readTree(parts[1])),
                    expected);
        }
    }

    private static String filled(String operation, String with) {
        return operation.replaceAll("\\{\\w+}", with);
    }

    @Test
    void whatIsNoProperRequestIsAnsweredAsDescribedEverywhere() throws Exception {
        for (String operation : api.operations()) {
            if (!operation.startsWith("HEAD")) {
                sendRaw(filled(operation, "a"), "", "400 bad_request");
            }
        }
    }

    @Test
    void adminsAreAnsweredAsDescribedAndInNoOtherWay() throws Exception {
        strangers();
        tokens();
        members();
        try (TestTopic bare = new TestTopic(data.resolve("bare"), "ledger: off")) {
            withoutLedger(bare);
        }
        try (TestTopic bridging = TestTopic.withSilentBridge(data.resolve("bridging"))) {
            requestAndCheck(bridging, "alice", "POST /tokens", "{\"name\":\"tools\"}", "409 bridged");
        }

        for (String operation : OPERATIONS) {
            Set<String> described = api.answers(operation);
            described.removeAll(RARE);
            assertThat(answered.get(operation)).as(operation).isEqualTo(described);
        }
    }

    @Test
    void everyOperationOfAdminsIsTried() {
        assertThat(api.operations().stream()
                        .filter(operation -> operation.matches("(GET /topics|.*(/tokens|/members).*)")))
                .containsExactlyInAnyOrderElementsOf(OPERATIONS);
    }

    private void strangers() throws IOException, InterruptedException {
        for (String operation : OPERATIONS) {
            String requestLine = filled(operation, "ops");
            sendRaw(requestLine, "", "400 bad_request");
            if (operation.contains("{")) {
                sendRaw(filled(operation, "%zz"), "Host: a\r\n", "400 bad_request");
            }
            sendRaw(
                    requestLine,
                    "Host: a\r\nOrigin: http://b\r\nAuthorization: Bearer alice" + TestServer.SECRET + "\r\n",
                    "403 foreign_origin");
            requestAndCheck(testTopic, "nobody", requestLine, "", "401 unauthenticated");
            if (operation.equals("GET /topics")) {
                requestAndCheck(testTopic, "mallory", requestLine, "", "200");
            } else if (operation.equals("GET /topics/{topic}/members")) {
                requestAndCheck(testTopic, "mallory", requestLine, "", "403 not_a_member");
            } else {
                requestAndCheck(testTopic, "bob", requestLine, "", "403 not_admin");
            }
        }
    }

    private void tokens() throws IOException, InterruptedException {
        requestAndCheck("GET /topics", "", "200");
        requestAndCheck("POST /tokens", "{\"name\":\"dave\"}", "201");
        requestAndCheck(
                "POST /tokens",
                "{\"name\":\"dave\",\"topic\":\"ops\",\"capabilities\":[\"chat.*\"],\"roles\":[\"maintainer\"],\"expiresIn\":\"30d\"}",
                "201");
        requestAndCheck("POST /tokens", "[]", "400 bad_body");
        requestAndCheck("POST /tokens", "{\"name\":\"a b\"}", "400 bad_name");
        requestAndCheck("POST /tokens", "{\"name\":\"dave\",\"topic\":\"plain\"}", "400 bad_capability");
        requestAndCheck("POST /tokens", "{\"name\":\"dave\",\"roles\":[\"king\"]}", "400 bad_role");
        requestAndCheck("POST /tokens", "{\"name\":\"dave\",\"expiresIn\":\"soon\"}", "400 bad_expiry");
        requestAndCheck("POST /tokens", "{\"name\":\"dave\",\"topic\":\"NO\"}", "400 bad_topic");
        requestAndCheck(
                "POST /tokens", "{\"name\":\"dave\",\"topic\":\"none\",\"capabilities\":[]}", "404 no_such_topic");
        requestAndCheck("POST /tokens", "{\"name\":\"alice\",\"roles\":[]}", "409 last_admin");
        requestAndCheck("POST /tokens", TOO_LONG, "413 too_large");
        for (int i = 0; i < 100; i++) {
            testTopic.makeToken("many", "{\"name\":\"many\"}");
        }
        requestAndCheck("POST /tokens", "{\"name\":\"many\"}", "409 too_many");
        requestAndCheck("GET /tokens", "", "200");
        String id =
                testTopic.makeToken("erin", "{\"name\":\"erin\"}").path("id").asString();
        for (String one : List.of("", "/" + id)) {
            testTopic.makeToken("dave", "{\"name\":\"dave\"}");
            String identity = one.isEmpty() ? "dave" : "erin";
            requestAndCheck("DELETE /tokens/a%20b" + one, "", "400 bad_name");
            requestAndCheck("DELETE /tokens/nemo" + one, "", "404 unknown_identity");
            requestAndCheck("DELETE /tokens/" + TestTopic.TOKENLESS + one, "", "404 unknown_token");
            requestAndCheck("DELETE /tokens/" + identity + one, "", "200");
            requestAndCheck("DELETE /tokens/" + identity + one, "", "409 already_revoked");
        }
        requestAndCheck("PUT /tokens/bob/roles", "{\"roles\":[\"maintainer\"]}", "200");
        requestAndCheck("PUT /tokens/bob/roles", "[]", "400 bad_body");
        requestAndCheck("PUT /tokens/a%20b/roles", "{\"roles\":[]}", "400 bad_name");
        requestAndCheck("PUT /tokens/bob/roles", "{\"roles\":[\"king\"]}", "400 bad_role");
        requestAndCheck("PUT /tokens/nemo/roles", "{\"roles\":[]}", "404 unknown_identity");
        requestAndCheck("PUT /tokens/alice/roles", "{\"roles\":[]}", "409 last_admin");
        requestAndCheck("PUT /tokens/bob/roles", TOO_LONG, "413 too_large");
        requestAndCheck("DELETE /tokens/alice", "", "409 last_admin");
        requestAndCheck("DELETE /tokens/alice/configured", "", "409 last_admin");
        requestAndCheck("GET /tokens", "", "200");
    }

    private void members() throws IOException, InterruptedException {
        String may =
                "{\"capabilities\":[\"chat.*\",{\"kind\":\"mcp.request.*\",\"payload\":{\"method\":\"tools/list\"}}]}";
        requestAndCheck("PUT /topics/ops/members/mallory", may, "200");
        requestAndCheck("GET /topics/ops/members", "", "200");
        requestAndCheck("GET /topics/NO/members", "", "400 bad_topic");
        requestAndCheck("GET /topics/none/members", "", "404 no_such_topic");
        requestAndCheck("PUT /topics/ops/members/mallory", "[]", "400 bad_body");
        requestAndCheck("PUT /topics/ops/members/mallory", "{}", "400 bad_capability");
        requestAndCheck("PUT /topics/ops/members/mallory", TOO_LONG, "413 too_large");
        requestAndCheck("PUT /topics/ops/members/nemo", may, "404 unknown_identity");
        requestAndCheck("POST /topics/ops/members/mallory/reset", "", "200");
        requestAndCheck("POST /topics/ops/members/bob/reset", "", "200");
        requestAndCheck("POST /topics/ops/members/nemo/reset", "", "404 unknown_identity");
        requestAndCheck("DELETE /topics/ops/members/bob", "", "200");
        requestAndCheck("DELETE /topics/ops/members/bob", "", "404 not_a_member");
        for (String operation : List.of(
                "PUT /topics/%s/members/%s", "DELETE /topics/%s/members/%s", "POST /topics/%s/members/%s/reset")) {
            requestAndCheck(String.format(operation, "NO", "bob"), may, "400 bad_topic");
            requestAndCheck(String.format(operation, "ops", "a%20b"), may, "400 bad_name");
            requestAndCheck(String.format(operation, "none", "bob"), may, "404 no_such_topic");
        }
    }

    private void withoutLedger(TestTopic bare) throws IOException, InterruptedException {
        requestAndCheck(bare, "alice", "GET /tokens", "", "200");
        requestAndCheck(bare, "alice", "POST /tokens", "{\"name\":\"dave\"}", "409 no_ledger");
        requestAndCheck(bare, "alice", "DELETE /tokens/bob", "", "409 no_ledger");
        requestAndCheck(bare, "alice", "PUT /tokens/bob/roles", "{\"roles\":[]}", "409 no_ledger");
        requestAndCheck(bare, "alice", "DELETE /tokens/bob/configured", "", "409 no_ledger");
        requestAndCheck(bare, "alice", "PUT /topics/ops/members/bob", "{\"capabilities\":[]}", "409 no_ledger");
        requestAndCheck(bare, "alice", "DELETE /topics/ops/members/bob", "", "409 no_ledger");
        requestAndCheck(bare, "alice", "POST /topics/ops/members/bob/reset", "", "409 no_ledger");
    }
}
