package dev.gavel.app.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.gavel.app.TestServer;
import dev.gavel.app.TestSocket;
import dev.gavel.web.console.session.SignInController;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Tests the console with requests that a browser does not send. */
class ConsoleHttpTest {
    private static final String APPROVE = "/console/proposals/ops/p-1/approve";
    private static final String REJECT = "/console/proposals/ops/p-1/reject";

    @TempDir
    private Path data;

    private ConsoleTestServer consoleTestServer;
    private final HttpClient client = HttpClient.newHttpClient();

    @BeforeEach
    void open() throws Exception {
        consoleTestServer = new ConsoleTestServer(data);
        consoleTestServer.propose("p-1", "delete_file", "{}");
    }

    @AfterEach
    void close() throws IOException {
        consoleTestServer.close();
        client.shutdownNow();
    }

    private HttpResponse<String> send(String method, String path, String body, Map<String, String> headers)
            throws IOException, InterruptedException {
        return client.send(request(method, path, body, headers), HttpResponse.BodyHandlers.ofString());
    }

    private HttpRequest request(String method, String path, String body, Map<String, String> headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(consoleTestServer.url(path)))
                .method(method, HttpRequest.BodyPublishers.ofString(body));
        headers.forEach(request::header);
        return request.build();
    }

    private String signIn(String identity) throws IOException, InterruptedException {
        HttpResponse<String> answer = send("POST", "/sign-in", "token=" + identity + TestServer.SECRET, Map.of());
        assertThat(answer.statusCode()).isEqualTo(303);
        return answer.headers().firstValue("Set-Cookie").orElseThrow().replaceFirst(";.*", "");
    }

    private String csrf(String cookie) throws IOException, InterruptedException {
        Matcher csrf = Pattern.compile("name=\"csrf\" value=\"([^\"]+)\"")
                .matcher(send("GET", "/", "", Map.of("Cookie", cookie)).body());
        assertThat(csrf.find()).isTrue();
        return csrf.group(1);
    }

    private String state() throws IOException, InterruptedException {
        return consoleTestServer.proposal("p-1").path("state").asString();
    }

    @Test
    void aFormWithoutTheSessionsProofIsRefused() throws Exception {
        String cookie = signIn("alice");
        String another = csrf(signIn("alice"));
        for (String body : new String[] {
            "reason=unsafe", "reason=unsafe&csrf=", "reason=unsafe&csrf=x", "reason=unsafe&csrf=" + another, "%"
        }) {
            HttpResponse<String> answer = send("POST", REJECT, body, Map.of("Cookie", cookie));
            assertThat(answer.statusCode()).as(body).isEqualTo(403);
        }
        assertThat(send("POST", APPROVE, "to=files", Map.of("Cookie", cookie)).statusCode())
                .isEqualTo(403);
        assertThat(state()).isEqualTo("open");

        HttpResponse<String> own = send("POST", REJECT, "reason=unsafe&csrf=" + csrf(cookie), Map.of("Cookie", cookie));
        assertThat(own.statusCode()).isEqualTo(303);
        assertThat(state()).isEqualTo("rejected");
    }

    @Test
    void aCallThatIsAddressedToAnAbsentServerRunsElsewhereOnlyIfTheReviewerChoosesThat() throws Exception {
        consoleTestServer.joinWithTools(
                "files",
                "[{\"name\":\"look\",\"inputSchema\":{\"type\":\"object\"},\"annotations\":{\"readOnlyHint\":true}}]");
        try (TestSocket helper = consoleTestServer.join("helper")) {
            helper.send("{\"protocol\":\"mcpx/v0.1\",\"id\":\"p-2\",\"to\":[\"search\"],"
                    + "\"kind\":\"mcp.proposal.tools/call:look\",\"payload\":{\"method\":\"tools/call\","
                    + "\"params\":{\"name\":\"look\",\"arguments\":{}}}}");
            helper.envelope("mcp.proposal.tools/call:look");
        }
        Awaitility.await()
                .until(() -> consoleTestServer
                        .proposal("p-2")
                        .path("couldRunInstead")
                        .toString()
                        .equals("[\"files\"]"));
        String cookie = signIn("alice");
        String own = "csrf=" + csrf(cookie);
        String path = "/console/proposals/ops/p-2/approve";
        assertThat(send("GET", "/console/proposals/ops/p-2", "", Map.of("Cookie", cookie))
                        .body())
                .contains("the call is addressed to search, which cannot run it now")
                .doesNotContain("Runs on files");
        assertThat(send("GET", path, "", Map.of("Cookie", cookie)).body())
                .contains("<option value=\"\">Choose…</option>", "<option value=\"files\">files</option>")
                .doesNotContain("name=\"to\" value=\"files\"");
        assertThat(send("POST", path, own + "&confirm=yes", Map.of("Cookie", cookie))
                        .statusCode())
                .isEqualTo(400);
        assertThat(send("POST", path, own + "&to=files", Map.of("Cookie", cookie))
                        .statusCode())
                .isEqualTo(409);
        assertThat(consoleTestServer.proposal("p-2").path("state").asString()).isEqualTo("open");
        assertThat(send("POST", path, own + "&confirm=yes&to=files", Map.of("Cookie", cookie))
                        .statusCode())
                .isEqualTo(303);
        assertThat(consoleTestServer.proposal("p-2").path("state").asString()).isEqualTo("fulfilled");
    }

    @Test
    void aCallIsRunByWhomThePageNamedOrByNobody() throws Exception {
        String cookie = signIn("alice");
        String own = "csrf=" + csrf(cookie);
        TestSocket files = consoleTestServer.join("files");
        assertThat(send("GET", "/", "", Map.of("Cookie", cookie)).body()).contains("Runs on files");
        String confirm = send("GET", APPROVE, "", Map.of("Cookie", cookie)).body();
        assertThat(confirm).contains("name=\"to\" value=\"files\"", "name=\"confirm\" value=\"yes\"");

        files.close();
        consoleTestServer.join("search");
        Awaitility.await()
                .until(() -> consoleTestServer
                        .proposal("p-1")
                        .path("couldRun")
                        .toString()
                        .equals("[\"search\"]"));
        HttpResponse<String> late = send("POST", APPROVE, own + "&confirm=yes&to=files", Map.of("Cookie", cookie));
        assertThat(late.statusCode()).isEqualTo(409);
        assertThat(late.body()).contains("files can no longer run this call", "on search");
        HttpResponse<String> unsaid = send("POST", APPROVE, own + "&confirm=yes", Map.of("Cookie", cookie));
        assertThat(unsaid.statusCode()).isEqualTo(400);
        assertThat(unsaid.body()).contains("Choose the participant that runs the call.");
        assertThat(state()).isEqualTo("open");

        assertThat(send("POST", APPROVE, own + "&confirm=yes&to=search", Map.of("Cookie", cookie))
                        .statusCode())
                .isEqualTo(303);
        assertThat(state()).isEqualTo("fulfilled");
    }

    private static final String READ_ONLY_TOOL =
            "[{\"name\":\"look\",\"description\":\"BEFORE\",\"annotations\":{\"readOnlyHint\":true}}]";

    /** Proposes a call of a tool whose definition the gateway knows. */
    private TestSocket proposeLook(String id) throws Exception {
        TestSocket search = consoleTestServer.joinWithTools("search", READ_ONLY_TOOL);
        consoleTestServer.propose("p-0", "look", "{}");
        Awaitility.await()
                .until(() -> consoleTestServer
                        .proposal("p-0")
                        .path("tools")
                        .toString()
                        .contains("\"digest\""));
        consoleTestServer.propose(id, "look", "{\"path\":\"a\"}");
        return search;
    }

    @Test
    void theEditPageShowsTheDefinitionThatItApproves() throws Exception {
        TestSocket search = proposeLook("p-2");
        consoleTestServer.announceTools(search, "news-2", READ_ONLY_TOOL.replace("BEFORE", "AFTER"));
        Awaitility.await()
                .until(() -> consoleTestServer
                        .proposal("p-2")
                        .path("tools")
                        .toString()
                        .contains("\"changed\""));

        String page = send("GET", "/console/proposals/ops/p-2/edit", "", Map.of("Cookie", signIn("alice")))
                .body();

        assertThat(page).contains("name=\"definition\" value=\"sha256:");
        assertThat(page).contains("changed since the call was proposed (description)", "BEFORE", "AFTER");
    }

    @Test
    void editedArgumentsAreApprovedOnlyAfterTheirWarningsWereShown() throws Exception {
        TestSocket search = proposeLook("p-2");
        String cookie = signIn("alice");
        String form = "to=search&arguments=" + URLEncoder.encode("{\"path\":\"../../etc/shadow\"}", UTF_8) + "&csrf="
                + csrf(cookie);
        HttpResponse<String> unwarned =
                send("POST", "/console/proposals/ops/p-2/approve", form, Map.of("Cookie", cookie));
        assertThat(unwarned.statusCode()).isEqualTo(409);
        assertThat(unwarned.body()).contains("path leaves its folder", "Nothing was approved");
        assertThat(consoleTestServer.proposal("p-2").path("state").asString()).isEqualTo("open");

        Matcher warned = Pattern.compile("name=\"warned\" value=\"([^\"]*)\"").matcher(unwarned.body());
        assertThat(warned.find()).isTrue();
        String shown = warned.group(1).replace("&#34;", "\"");
        CompletableFuture<HttpResponse<String>> warnedApproval = client.sendAsync(
                request(
                        "POST",
                        "/console/proposals/ops/p-2/approve",
                        form + "&warned=" + URLEncoder.encode(shown, UTF_8),
                        Map.of("Cookie", cookie)),
                HttpResponse.BodyHandlers.ofString());
        assertThat(consoleTestServer
                        .run(search, "look", ConsoleTestServer.textResult("seen"))
                        .toString())
                .contains("../../etc/shadow");
        assertThat(warnedApproval.get().statusCode()).isEqualTo(303);
    }

    @Test
    void whoSignedOutIsOutWithACopyOfTheCookieToo() throws Exception {
        String cookie = signIn("alice");
        String another = signIn("alice");
        assertThat(send("POST", "/sign-out", "csrf=" + csrf(cookie), Map.of("Cookie", cookie))
                        .statusCode())
                .isEqualTo(303);
        assertThat(send("GET", "/", "", Map.of("Cookie", cookie)).statusCode()).isEqualTo(303);
        assertThat(send("GET", "/", "", Map.of("Cookie", another)).statusCode()).isEqualTo(200);
    }

    @Test
    void whatAnOpenPageIsToldToTypeLeadsHere() throws Exception {
        assertThat(send("GET", "/", "", Map.of("Cookie", signIn("alice"))).body())
                .contains("gavel propose ops ", "--url http://127.0.0.1:" + consoleTestServer.port() + " --token ");
    }

    @Test
    void aPageOfAnotherSiteCanDoNothing() throws Exception {
        String cookie = signIn("alice");
        String body = "reason=unsafe&csrf=" + csrf(cookie);
        for (String origin : new String[] {"https://evil.example", "null", "http://127.0.0.1:1"}) {
            assertThat(send("POST", REJECT, body, Map.of("Cookie", cookie, "Origin", origin))
                            .statusCode())
                    .isEqualTo(403);
            assertThat(send("POST", "/sign-in", "token=alice" + TestServer.SECRET, Map.of("Origin", origin))
                            .statusCode())
                    .isEqualTo(403);
        }
        assertThat(state()).isEqualTo("open");
        assertThat(send("POST", REJECT, body, Map.of("Cookie", cookie, "Origin", consoleTestServer.url("")))
                        .statusCode())
                .isEqualTo(303);
    }

    @Test
    void underAnotherNameNothingIsServed() throws Exception {
        for (String path : PAGES) {
            for (String host : new String[] {"evil.example", "evil.localhost", "x.localhost.evil.example"}) {
                assertThat(statusAt(host + ":" + consoleTestServer.port(), path))
                        .as(host + path)
                        .contains(" 403 ");
            }
        }
        assertThat(statusAt(consoleHost(), "/sign-in")).contains(" 200 ");
        assertThat(statusAt(consoleHost().toUpperCase(Locale.ROOT), "/sign-in")).contains(" 200 ");
    }

    @Test
    void loopbackAddressesServeTheApiAndSetNoCookie() throws Exception {
        String name = consoleHost().replaceFirst("\\..*", "");
        for (String host : new String[] {"127.0.0.1", "localhost", "[::1]", "127.1.2.3"}) {
            for (String path : PAGES) {
                String answer = answerAt(host + ":" + consoleTestServer.port(), "GET " + path, "", "");
                assertThat(answer)
                        .as(host + path)
                        .startsWith("HTTP/1.1 404 ")
                        .contains("gavel console")
                        .doesNotContainIgnoringCase("Set-Cookie", "Location:", name);
            }
            String form = "token=alice" + TestServer.SECRET;
            assertThat(answerAt(
                            host + ":" + consoleTestServer.port(),
                            "POST /sign-in",
                            "Content-Length: " + form.length() + "\r\n",
                            form))
                    .startsWith("HTTP/1.1 404 ")
                    .doesNotContainIgnoringCase("Set-Cookie", name);
            assertThat(answerAt(
                            host + ":" + consoleTestServer.port(),
                            "GET /topics",
                            "Authorization: Bearer alice" + TestServer.SECRET + "\r\n",
                            ""))
                    .startsWith("HTTP/1.1 200 ");
        }
    }

    @Test
    void theNameIsRandomForEachDataDirectoryAndKept(@TempDir Path other) throws Exception {
        String url = consoleTestServer.url("");
        assertThat(url).matches("http://gavel-[a-z2-9]{20}\\.localhost:\\d+");
        assertThat(Files.readString(data.resolve("console-name")).strip() + ".localhost")
                .isEqualTo(URI.create(url).getHost());
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data.resolve("console-name"))))
                .isEqualTo("rw-------");
        try (ConsoleTestServer another = new ConsoleTestServer(other)) {
            assertThat(another.url("").replaceFirst("\\..*", "")).isNotEqualTo(url.replaceFirst("\\..*", ""));
        }
        consoleTestServer.stop();
        consoleTestServer.start();
        assertThat(consoleTestServer.url("")).isEqualTo(url);
    }

    @Test
    void aCookieOfAnotherHostDoesNotHideTheSession() throws Exception {
        String cookie = signIn("alice");
        String planted = cookie.replaceFirst("=.*", "=1.2.3.4.5");
        for (String cookies : new String[] {planted + "; " + cookie, cookie + "; " + planted}) {
            assertThat(send("GET", "/", "", Map.of("Cookie", cookies)).statusCode())
                    .as(cookies)
                    .isEqualTo(200);
        }
    }

    @Test
    void pagesAndTheApiDoNotTellTheNameToPrograms() throws Exception {
        String name = consoleHost().replaceFirst("\\..*", "");
        String cookie = signIn("alice");
        HttpResponse<String> page = send("GET", "/", "", Map.of("Cookie", cookie));
        assertThat(page.headers().firstValue("Referrer-Policy")).contains("same-origin");
        assertThat(page.body()).doesNotContain(name);
        for (String path : new String[] {"/openapi.json", "/topics", "/metrics", "/health/ready", "/nowhere"}) {
            HttpResponse<String> answer = consoleTestServer.call("GET", "alice", path, "");
            assertThat(answer.body() + answer.headers()).as(path).doesNotContain(name);
        }
    }

    private static final String[] PAGES = {
        "/", "/sign-in", "/console/live", "/console/proposals/ops/p-1", "/console/nowhere"
    };

    private String consoleHost() {
        return URI.create(consoleTestServer.url("/")).getAuthority();
    }

    private String answerAt(String host, String request, String headers, String body) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), consoleTestServer.port())) {
            socket.getOutputStream()
                    .write((request + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n" + headers + "\r\n"
                                    + body)
                            .getBytes(UTF_8));
            return new String(socket.getInputStream().readAllBytes(), UTF_8);
        }
    }

    private String statusAt(String host, String path) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), consoleTestServer.port())) {
            socket.getOutputStream()
                    .write(("GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n")
                            .getBytes(UTF_8));
            return new String(socket.getInputStream().readAllBytes(), UTF_8)
                    .lines()
                    .findFirst()
                    .orElse("");
        }
    }

    @Test
    void pagesMayRunAndLoadOnlyWhatIsOurs() throws Exception {
        HttpResponse<String> page = send("GET", "/", "", Map.of("Cookie", signIn("alice")));
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.headers().firstValue("Content-Security-Policy").orElseThrow())
                .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "base-uri 'none'")
                .doesNotContain("unsafe");
        assertThat(page.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
        assertThat(page.headers().firstValue("Cache-Control")).contains("no-store");
        assertThat(page.body()).doesNotContain("<style").doesNotContainPattern("<script(?! src=\"/console/)");
        assertThat(page.body()).doesNotContainPattern(" on\\w+=");

        Matcher asset = Pattern.compile("\"(/console/assets/[^\"]+)\"").matcher(page.body());
        int assets = 0;
        while (asset.find()) {
            HttpResponse<String> file = send("GET", asset.group(1), "", Map.of());
            assertThat(file.statusCode()).as(asset.group(1)).isEqualTo(200);
            assertThat(file.headers().firstValue("Cache-Control").orElseThrow()).contains("immutable");
            assets++;
        }
        assertThat(assets).isGreaterThan(3);
        assertThat(send("GET", "/console/assets/0000/console.css", "", Map.of()).statusCode())
                .isEqualTo(404);
        assertThat(send("GET", "/console/assets/0000/..%2f..%2fMain.class", "", Map.of())
                        .statusCode())
                .isEqualTo(404);
    }

    @Test
    void whoIsNotSignedInIsShownTheDoorAndNothingElse() throws Exception {
        for (String cookie : new String[] {"", "gavel-session-" + consoleTestServer.port() + "=1.2.3.4.5"}) {
            for (String path : new String[] {"/", "/console/proposals/ops/p-1"}) {
                HttpResponse<String> answer = send("GET", path, "", Map.of("Cookie", cookie));
                assertThat(answer.statusCode()).isEqualTo(303);
                assertThat(answer.headers().firstValue("Location")).contains("/sign-in");
                assertThat(answer.body()).isEmpty();
            }
            assertThat(send("GET", "/console/live", "", Map.of("Cookie", cookie))
                            .body())
                    .isEqualTo("event: signed-out\ndata: -\n\n");
            assertThat(send("POST", APPROVE, "", Map.of("Cookie", cookie)).statusCode())
                    .isEqualTo(303);
        }
        assertThat(state()).isEqualTo("open");
    }

    @Test
    void whoIsRefusedSomethingIsStillSignedIn() throws Exception {
        String cookie = signIn("alice");
        for (String[] each : new String[][] {
            {"/console/topics/none", "/console/topics", "Topics"},
            {"/console/proposals/ops/none", "/", "Inbox"},
            {"/console/admin/identities/none", "/console/admin", "Administration"},
            {"/console/nowhere/at/all", "/", "Inbox"},
            {"/console/topcis", "/", "Inbox"},
        }) {
            HttpResponse<String> page = send("GET", each[0], "", Map.of("Cookie", cookie));
            assertThat(page.statusCode()).as(each[0]).isEqualTo(404);
            assertThat(page.headers().firstValue("Content-Type")).contains("text/html; charset=utf-8");
            assertThat(page.body()).as(each[0]).contains("Signed in as", "<p><a href=\"" + each[1] + "\">");
            assertThat(page.body()).containsPattern("aria-current=\"page\"[^>]*>" + each[2]);
        }
        HttpResponse<String> anonymousResponse = send("GET", "/console/nowhere", "", Map.of());
        assertThat(anonymousResponse.statusCode()).isEqualTo(303);
        assertThat(anonymousResponse.headers().firstValue("Location")).contains("/sign-in");
        assertThat(send("GET", "/console/admin/live", "", Map.of()).body()).isEqualTo("event: signed-out\ndata: -\n\n");
    }

    @Test
    void aLinkElsewhereLeadsToThePageAllTheSame() throws Exception {
        HttpResponse<String> answer = send("GET", "/", "", Map.of("Sec-Fetch-Site", "cross-site"));
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).contains("http-equiv=\"refresh\"").doesNotContain("delete_file");
    }

    @Test
    void proposalsOfTopicsThatAreNotOnesOwnAreNotThere() throws Exception {
        consoleTestServer.proposeIn("quiet", "p-2", "secret", "{}");
        String alice = signIn("alice");
        assertThat(send("GET", "/console/proposals/quiet/p-2", "", Map.of("Cookie", alice))
                        .statusCode())
                .isEqualTo(404);
        assertThat(send(
                                "POST",
                                "/console/proposals/quiet/p-2/reject",
                                "reason=unsafe&csrf=" + csrf(alice),
                                Map.of("Cookie", alice))
                        .statusCode())
                .isEqualTo(404);
        assertThat(send("GET", "/console/proposals/quiet/p-2", "", Map.of("Cookie", signIn("bob")))
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void anIdMayBeWhateverAnEnvelopesMayBe() throws Exception {
        String id = "a/b ?&\"<i>%2e";
        consoleTestServer.propose(id, "odd", "{}");
        String cookie = signIn("alice");
        Matcher path = Pattern.compile("href=\"(/console/proposals/[^\"]+)\">odd<")
                .matcher(send("GET", "/", "", Map.of("Cookie", cookie)).body());
        assertThat(path.find()).isTrue();
        assertThat(path.group(1))
                .isEqualTo(
                        "/console/proposals/ops/" + URLEncoder.encode(id, UTF_8).replace("+", "%20"));
        assertThat(send("GET", path.group(1), "", Map.of("Cookie", cookie)).body())
                .contains(">odd<");
    }

    @Test
    void theKeyOfSessionsIsItsOwnersAlone() throws Exception {
        signIn("alice");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data.resolve("session.key"))))
                .isEqualTo("rw-------");
    }

    @Test
    void guessesAreThrottledCountedAndLoggedWithoutTheGuess() throws Exception {
        Logger logger = (Logger) LoggerFactory.getLogger(SignInController.class);
        ListAppender<ILoggingEvent> logged = new ListAppender<>();
        logged.start();
        logger.addAppender(logged);
        HttpResponse<String> refused = null;
        try {
            // An address recovers, but never as fast as this.
            for (int i = 0; i < 100 && refused == null; i++) {
                HttpResponse<String> answer = send(
                        "POST", "/sign-in", i % 2 == 0 ? "token=guess-0123456789-" + i : "code=guess-" + i, Map.of());
                assertThat(answer.statusCode()).isIn(403, 429);
                refused = answer.statusCode() == 429 ? answer : null;
            }
        } finally {
            logger.detachAppender(logged);
        }
        assertThat(refused).isNotNull();
        assertThat(refused.body()).contains("Too many sign-ins have failed. Wait ");
        assertThat(refused.headers().firstValueAsLong("Retry-After").orElseThrow())
                .isPositive();
        assertThat(logged.list)
                .hasSizeGreaterThanOrEqualTo(10)
                .allSatisfy(event -> assertThat(event.getFormattedMessage() + event.getKeyValuePairs())
                        .contains("127.0.0.1")
                        .doesNotContain("guess"));
        assertThat(consoleTestServer.call("GET", "alice", "/metrics", "").body())
                .containsPattern("gavel_failed_sign_ins_total\\{reason=\"code\"} [1-9]")
                .containsPattern("gavel_failed_sign_ins_total\\{reason=\"token\"} [1-9]")
                .containsPattern("gavel_failed_sign_ins_total\\{reason=\"throttled\"} [1-9]");
    }

    @Test
    void failedSignInsOfAProgramDoNotKeepAUserWithALinkOrALongTokenOut() throws Exception {
        String created = consoleTestServer
                .call("POST", "alice", "/tokens", "{\"name\":\"bob\"}")
                .body();
        Matcher randomToken = Pattern.compile("gvl_[A-Za-z0-9_-]+").matcher(created);
        assertThat(randomToken.find()).as(created).isTrue();
        String link = consoleTestServer.signInLink("alice");
        for (int i = 0; signInStatus("code=guess-" + i) != 429; i++) {
            assertThat(i).isLessThan(100);
        }
        String unknown = randomToken.group().substring(0, 40) + "aaaaaaa";
        assertThat(signInStatus("token=" + unknown)).isEqualTo(429);
        assertThat(signInStatus("token=alice" + TestServer.SECRET)).isEqualTo(303);
        assertThat(signInStatus("token=" + randomToken.group())).isEqualTo(303);
        assertThat(signInStatus(URI.create(link).getQuery())).isEqualTo(303);
    }

    private int signInStatus(String form) throws Exception {
        return send("POST", "/sign-in", form, Map.of()).statusCode();
    }

    @Test
    void aFormThatIsTooLongIsRefused() throws Exception {
        assertThat(send("POST", "/sign-in", "token=" + "x".repeat(9_000), Map.of())
                        .statusCode())
                .isEqualTo(413);
    }
}
