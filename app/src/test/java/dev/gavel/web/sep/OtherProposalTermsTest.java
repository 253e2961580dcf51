package dev.gavel.web.sep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.app.TestServer;
import dev.gavel.app.command.GavelCommands;
import dev.gavel.cli.CommandEnvironment;
import dev.gavel.mcpx.json.Json;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a server whose process calls its proposals KEPs never calls them SEPs. */
class OtherProposalTermsTest {
    private static final Pattern DEFAULT_NAME = Pattern.compile("\\bSEP[sS]?\\b");

    private static final String PROCESS = """
            process: enhancements
            title: Enhancements
            roles:
              author: {title: the author, held: several, proposer: yes}
              sponsor: {title: the sponsor, held: one, from: approver, vacant: {approver: Take it.}}
              approver: {title: an approver}
            attributes:
              title: {}
            start: {to: provisional, who: anyone}
            states:
              provisional: {status: it waits., act: approver, guidance: {approver: Take it.}}
              implementable: {status: it is accepted., act: author, guidance: {author: Write it.}}
              implemented: {is: end, status: it is done.}
              withdrawn: {is: end, status: it was withdrawn.}
            moves:
              - {from: provisional, to: implementable, who: approver, takes: sponsor}
              - {from: implementable, to: implemented, who: author}
              - {from: [provisional, implementable], to: withdrawn, who: author}
            document:
              prefix: KEP
            """;

    private static final String DOCUMENT = """
            # KEP-0000: Paging for every list

            - **Status**: provisional

            ## Abstract

            Every list has pages.

            ## Motivation

            Lists grow long, and clients wait for all of one.
            """;

    @TempDir
    private Path directory;

    private TestServer server;
    private final HttpClient client = HttpClient.newHttpClient();

    @BeforeEach
    void start() throws Exception {
        Path process = Files.writeString(directory.resolve("enhancements.yaml"), PROCESS);
        server = new TestServer("""
                listen: 127.0.0.1:0
                data: %s
                limits: {ask: off, bytes: off, rate: 100000/s}
                identities:
                  alice: {token: alice-0123456789abcdef}
                  dave: {token: dave-0123456789abcdef, roles: [approver, admin]}
                topics:
                  ops: {participants: {alice: ["chat.*"]}}
                sep: {process: %s, topic: seps, webhooks: []}
                """.formatted(directory.resolve("data"), process), 2);
    }

    @AfterEach
    void stop() {
        server.close();
        client.shutdownNow();
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private Json call(String identity, String method, String path, Json body) throws Exception {
        return Json.parse(send(HttpRequest.newBuilder(URI.create("http://" + server.listen() + path))
                                .header("Authorization", "Bearer " + identity + TestServer.SECRET)
                                .header("Accept", "application/json")
                                .method(method, HttpRequest.BodyPublishers.ofString(body.raw())))
                        .body())
                .orElseThrow();
    }

    private void submit() throws Exception {
        Json result = call("alice", "POST", "/seps", Json.object().with("document", Json.ofText(DOCUMENT)));
        assertThat(result.at("number").asLong(0)).as(result.raw()).isEqualTo(1);
    }

    private String signIn(String identity) throws Exception {
        return send(HttpRequest.newBuilder(URI.create(server.consoleUrl() + "/sign-in"))
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .POST(HttpRequest.BodyPublishers.ofString("token=" + identity + TestServer.SECRET)))
                .headers()
                .firstValue("Set-Cookie")
                .orElseThrow()
                .replaceFirst(";.*", "");
    }

    private String page(String cookie, String path) throws Exception {
        HttpResponse<String> response = send(
                HttpRequest.newBuilder(URI.create(server.consoleUrl() + path)).header("Cookie", cookie));
        assertThat(response.statusCode()).as(path).isLessThan(500);
        return response.body();
    }

    private String run(String identity, String... words) {
        StringWriter out = new StringWriter();
        Map<String, String> variables =
                Map.of("GAVEL_URL", "http://" + server.listen(), "GAVEL_TOKEN", identity + TestServer.SECRET);
        GavelCommands.run(
                new CommandEnvironment(variables::get, directory, false, ZoneOffset.UTC),
                new PrintWriter(out),
                new PrintWriter(out),
                words);
        return out.toString();
    }

    @Test
    void noPageOfTheConsoleCallsAProposalASep() throws Exception {
        String alice = signIn("alice");
        String dave = signIn("dave");
        assertThat(page(alice, "/console/seps")).contains("There are no KEPs yet.", "Submit a KEP");
        assertThat(page(alice, "/console/seps/stats")).contains("after the first KEP is submitted");
        submit();
        for (String path : new String[] {
            "/",
            "/console/seps",
            "/console/seps?text=nothing",
            "/console/seps?state=provisional",
            "/console/seps?state=withdrawn",
            "/console/seps/triage",
            "/console/seps/sponsors",
            "/console/seps/stats",
            "/console/seps/new",
            "/console/seps/new?title=Sort",
            "/console/seps/1",
            "/console/seps/1?did=submit",
            "/console/seps/1?did=move",
            "/console/seps/1/edit",
            "/console/seps/1/act/move?to=implementable",
            "/console/seps/1/act/move?to=withdrawn",
            "/console/seps/1/act/comment",
            "/console/seps/1/act/ask",
            "/console/seps/1/act/sponsor",
            "/console/seps/1/act/step-down",
            "/console/seps/1/act/vote",
            "/console/seps/1/act/hold",
            "/console/seps/1/act/release",
            "/console/seps/1/act/attach",
            "/console/seps/1/act/withdraw",
            "/console/seps/1/act/supersede",
            "/console/seps/1/act/transfer",
            "/console/seps/2",
            "/console/seps/2/edit",
            "/console/seps/1/act/none",
            "/console/seps/none",
            "/console/admin",
            "/console/admin/ledger",
            "/console/admin/identities/new",
        }) {
            assertThat(page(alice, path)).as(path).doesNotContainPattern(DEFAULT_NAME);
            assertThat(page(dave, path)).as(path).doesNotContainPattern(DEFAULT_NAME);
        }
        assertThat(page(alice, "/console/seps/1")).contains("KEP-1", "Paging for every list");
        assertThat(page(dave, "/")).contains("KEPs waiting for you");
    }

    @Test
    void resultsAndRefusalsAndTheFeedUseTheTermsOfTheProcess() throws Exception {
        submit();
        call("alice", "POST", "/seps/1/comment", Json.object().with("text", Json.ofText("Which lists?")));
        Json list = call("alice", "GET", "/seps", Json.object());
        assertThat(list.at("terms").at("label").text()).isEqualTo("KEP-{number}");
        assertThat(call("alice", "GET", "/seps/7", Json.object()).at("detail").text())
                .isEqualTo("there is no KEP-7");
        String feed = send(HttpRequest.newBuilder(URI.create("http://" + server.listen() + "/seps/feed.atom"))
                        .header("Authorization", "Bearer alice" + TestServer.SECRET))
                .body();
        assertThat(feed).contains("KEP-1: Paging for every list").doesNotContainPattern(DEFAULT_NAME);
        for (String path : new String[] {"/seps/1", "/seps/1/history", "/seps/1/explain", "/seps/stats"}) {
            assertThat(call("alice", "GET", path, Json.object()).raw()).as(path).doesNotContainPattern(DEFAULT_NAME);
        }
    }

    @Test
    void commandsUseTheTermsOfTheServer() throws Exception {
        submit();
        assertThat(run("alice", "sep", "show", "KEP-1")).contains("KEP-1: Paging for every list");
        assertThat(run("alice", "sep", "list")).startsWith("KEP ");
        for (String words : new String[] {
            "sep next 1",
            "sep explain 1",
            "sep history 1",
            "sep inbox",
            "sep triage",
            "sep stats",
            "sep similar 1",
            "sep show 9",
            "sep comment 1 Why?",
            "sep list --state withdrawn",
            "sep --help",
            "sep submit --help"
        }) {
            assertThat(run("alice", words.split(" "))).as(words).isNotEmpty().doesNotContainPattern(DEFAULT_NAME);
        }
    }
}
