package dev.gavel.web.sep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.app.OpenApiDescription;
import dev.gavel.app.TestServer;
import dev.gavel.mcpx.json.Json;
import dev.gavel.web.sep.SepTestServer.ApiResponse;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** Tests that the SEP service's responses over HTTP agree with the OpenAPI description. */
class SepApiTest {
    private static final JsonMapper JSON = new JsonMapper();

    @TempDir
    private Path directory;

    private SepTestServer sepServer;
    private OpenApiDescription api;
    private final Map<String, Set<String>> answered = new HashMap<>();

    @BeforeEach
    void open() throws Exception {
        sepServer = new SepTestServer(directory);
        api = new OpenApiDescription(
                sepServer.request("alice", "GET", "/openapi.json", "").body().raw());
    }

    @AfterEach
    void close() {
        sepServer.close();
    }

    private Json requestAndCheck(String identity, String requestLine, String body, String expected) throws Exception {
        String[] parts = requestLine.split(" ", 2);
        return hold(requestLine, sepServer.request(identity, parts[0], parts[1], body), expected)
                .body();
    }

    private ApiResponse hold(String requestLine, ApiResponse apiResponse, String expected) {
        String[] parts = requestLine.split(" ", 2);
        api.assertDescribed(
                parts[0].toLowerCase(Locale.ROOT),
                parts[1],
                apiResponse.status(),
                apiResponse.type(),
                JSON.readTree(apiResponse.body().raw()));
        assertThat((apiResponse.status() + " " + apiResponse.code()).strip())
                .as(requestLine + " " + apiResponse.body())
                .isEqualTo(expected);
        String path = parts[0] + " " + parts[1].replaceFirst("\\?.*", "").replaceFirst("/seps/\\d+", "/seps/{number}");
        answered.computeIfAbsent(path, it -> new TreeSet<>()).add(expected);
        return apiResponse;
    }

    private Set<String> operations() {
        Set<String> all = new TreeSet<>(api.operations());
        all.removeIf(operation -> !operation.contains(" /seps"));
        return all;
    }

    @Test
    void aProposalGoesItsWayAndEveryAnswerIsDescribed() throws Exception {
        strangers();
        requestAndCheck("alice", "POST /seps", SepTestServer.document(SepTestServer.DOCUMENT), "201");
        requestAndCheck("alice", "POST /seps", SepTestServer.document("nothing"), "409 missing");
        requestAndCheck("alice", "GET /seps?open=true&limit=5", "", "200");
        requestAndCheck("alice", "GET /seps?state=nowhere", "", "400 bad_arguments");
        requestAndCheck("bob", "GET /seps/inbox", "", "200");
        requestAndCheck("bob", "GET /seps/triage", "", "200");
        requestAndCheck("bob", "GET /seps/maintainers", "", "200");
        requestAndCheck("bob", "GET /seps/stats", "", "200");
        requestAndCheck("bob", "GET /seps/similar?text=pages%20of%20lists", "", "200");
        requestAndCheck("bob", "POST /seps/similar", "{\"number\":1}", "200");
        requestAndCheck("bob", "POST /seps/similar", "{}", "400 bad_arguments");
        requestAndCheck("alice", "GET /seps/1", "", "200");
        requestAndCheck("alice", "GET /seps/1/next", "", "200");
        requestAndCheck("alice", "GET /seps/1/explain?to=draft", "", "200");
        requestAndCheck("alice", "GET /seps/1/history", "", "200");
        requestAndCheck("alice", "GET /seps/1/diff", "", "200");
        requestAndCheck("alice", "GET /seps/1/diff?from=3f2a", "", "400 bad_arguments");
        requestAndCheck("alice", "GET /seps/1/document", "", "200");
        requestAndCheck("alice", "PUT /seps/1", SepTestServer.document(SepTestServer.DOCUMENT + "\nMore.\n"), "200");
        requestAndCheck("agent", "PUT /seps/1", SepTestServer.document(SepTestServer.DOCUMENT), "403 not_allowed");
        requestAndCheck(
                "alice", "POST /seps/1/ask", "{\"whom\":\"bob\",\"question\":\"Would you sponsor it?\"}", "200");
        requestAndCheck("agent", "POST /seps/1/comment", "{\"text\":\"Which clients would break?\"}", "200");
        requestAndCheck(
                "alice", "POST /seps/1/attach", "{\"evidence\":{\"discussion\":\"https://example.org/1\"}}", "200");
        requestAndCheck("alice", "POST /seps/1/sponsor", "", "403 not_allowed");
        requestAndCheck("bob", "POST /seps/1/sponsor", "", "200");
        requestAndCheck("agent", "POST /seps/1/step-down", "", "403 not_allowed");
        requestAndCheck("bob", "POST /seps/1/step-down", "", "200");
        requestAndCheck("bob", "POST /seps/1/sponsor", "{}", "200");
        requestAndCheck("alice", "POST /seps/1/move", "{\"to\":\"provisional\"}", "403 not_allowed");
        requestAndCheck("bob", "POST /seps/1/move", "{\"to\":\"provisional\"}", "409 missing");
        requestAndCheck(
                "bob", "POST /seps/1/attach", "{\"evidence\":{\"goals\":\"https://example.org/minutes\"}}", "200");
        requestAndCheck("bob", "POST /seps/1/confirm", "{\"kind\":\"goals\"}", "403 not_allowed");
        requestAndCheck("carol", "POST /seps/1/confirm", "{\"kind\":\"goals\"}", "200");
        requestAndCheck("carol", "POST /seps/1/confirm", "{\"kind\":\"nothing\"}", "409 bad_evidence");
        requestAndCheck("bob", "POST /seps/1/move", "{\"to\":\"provisional\"}", "200");
        requestAndCheck("bob", "POST /seps/1/move", "{\"number\":2,\"to\":\"draft\"}", "400 bad_arguments");
        requestAndCheck("alice", "POST /seps/1/transfer", "{\"to\":\"agent\"}", "200");
        decision();
        requestAndCheck(
                "agent", "POST /seps/import", SepTestServer.document(SepTestServer.DOCUMENT), "403 not_allowed");
        requestAndCheck(
                "dave",
                "POST /seps/import",
                SepTestServer.document("# SEP-77: Taken in\n\n- **Status**: Draft\n"),
                "200");
        requestAndCheck("agent", "POST /seps/sweep", "", "403 not_allowed");
        requestAndCheck("dave", "POST /seps/sweep", "{\"dryRun\":true,\"asOf\":\"2099-01-31\"}", "200");
        requestAndCheck("dave", "POST /seps/sweep", "{\"asOf\":\"soon\"}", "400 bad_arguments");
        requestAndCheck("alice", "POST /seps/lint", SepTestServer.document(SepTestServer.DOCUMENT), "200");
        requestAndCheck("alice", "GET /seps/feed.atom", "", "200");

        for (String operation : operations()) {
            Set<String> described = api.answers(operation);
            assertThat(described).as(operation).contains("401 unauthenticated", "404 no_ledger");
            described.removeIf(answer -> !answer.matches("20\\d|401.*|403 foreign_origin"));
            assertThat(answered.getOrDefault(operation, Set.of())).as(operation).containsAll(described);
        }
    }

    /** Covers the operations about decisions, on sufficiently complete documents. */
    private void decision() throws Exception {
        String complete = SepTestServer.DOCUMENT + """

                ## Specification

                A cursor.

                ## Rationale

                It is short.

                ## Backward Compatibility

                None is lost.

                ## Security Implications

                None.

                ## Reference Implementation

                There.
                """;
        requestAndCheck("alice", "PUT /seps/1", SepTestServer.document(complete), "200");
        requestAndCheck("bob", "POST /seps/1/move", "{\"to\":\"in-review\",\"reason\":\"It is ready.\"}", "200");
        requestAndCheck("agent", "POST /seps/1/vote", "{\"ballot\":\"yes\"}", "403 not_allowed");
        requestAndCheck(
                "carol",
                "POST /seps/1/vote",
                "{\"ballot\":\"yes\",\"document\":\"0123456789abcdef\"}",
                "409 changed_since");
        requestAndCheck("carol", "POST /seps/1/vote", "{\"ballot\":\"yes\"}", "200");
        requestAndCheck("carol", "POST /seps/1/hold", "{\"reason\":\"until the meeting\"}", "200");
        requestAndCheck("carol", "POST /seps/1/hold", "{}", "400 bad_arguments");
        requestAndCheck("carol", "POST /seps/1/release", "", "200");
        String other = requestAndCheck(
                        "alice",
                        "POST /seps",
                        SepTestServer.document(complete.replace("- **Type**", "- **Supersedes**: 1\n- **Type**")),
                        "201")
                .at("number")
                .raw();
        requestAndCheck("carol", "POST /seps/1/supersede", "{\"by\":" + other + "}", "200");
        requestAndCheck("alice", "POST /seps/" + other + "/withdraw", "{\"reason\":\"solved elsewhere\"}", "200");
        requestAndCheck("alice", "POST /seps/" + other + "/withdraw", "{\"reason\":\"twice\"}", "409 ended");
    }

    private void strangers() throws Exception {
        for (String operation : operations()) {
            String requestLine = operation.replace("{number}", "1");
            requestAndCheck("nobody", requestLine, "", "401 unauthenticated");
            String[] parts = requestLine.split(" ", 2);
            hold(
                    requestLine,
                    SepTestServer.send(
                            HttpRequest.newBuilder(URI.create("http://" + sepServer.server.listen() + parts[1]))
                                    .header("Authorization", "Bearer alice" + TestServer.SECRET)
                                    .header("Origin", "http://elsewhere.example")
                                    .method(parts[0], HttpRequest.BodyPublishers.noBody())
                                    .build()),
                    "403 foreign_origin");
            if (operation.contains("{number}") && operation.startsWith("GET")) {
                requestAndCheck("alice", requestLine.replace("/1", "/99"), "", "404 unknown_sep");
                requestAndCheck("alice", requestLine.replace("/1", "/ninety"), "", "404 unknown_sep");
            }
        }
        requestAndCheck("alice", "POST /seps", "x".repeat(4 * 1024 * 1024 + 1), "413 too_large");
        requestAndCheck("alice", "POST /seps", "[]", "400 bad_arguments");
        requestAndCheck("alice", "POST /seps", "{\"document\":\"\\ud800\"}", "400 bad_arguments");
        requestAndCheck("alice", "GET /seps?limit=1&limit=2", "", "400 bad_arguments");
        requestAndCheck("alice", "GET /seps?colour=red", "", "400 bad_arguments");
    }

    @Test
    void aDocumentIsGivenAsItCameOrAsJsonWhereThatIsAskedFor() throws Exception {
        requestAndCheck("alice", "POST /seps", SepTestServer.document(SepTestServer.DOCUMENT), "201");

        HttpRequest.Builder requestLine = HttpRequest.newBuilder(
                        URI.create("http://" + sepServer.server.listen() + "/seps/1/document"))
                .header("Authorization", "Bearer alice" + TestServer.SECRET);
        ApiResponse plain = SepTestServer.send(requestLine.build());
        ApiResponse json = SepTestServer.send(
                requestLine.header("Accept", "application/json").build());

        assertThat(plain.type()).startsWith("text/markdown");
        assertThat(json.type()).startsWith("application/json");
        assertThat(json.body().at("document").text()).isEqualTo(plain.body().text());
    }

    @Test
    void whereNothingIsKeptThereIsNoDesk() throws Exception {
        try (TestServer bare = new TestServer(TestServer.CONFIG, 1)) {
            ApiResponse apiResponse =
                    SepTestServer.send(HttpRequest.newBuilder(URI.create("http://" + bare.listen() + "/seps"))
                            .header("Authorization", "Bearer alice" + TestServer.SECRET)
                            .build());
            hold("GET /seps", apiResponse, "404 no_ledger");
        }
    }
}
