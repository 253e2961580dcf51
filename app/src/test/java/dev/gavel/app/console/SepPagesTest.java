package dev.gavel.app.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import dev.gavel.app.TestServer;
import dev.gavel.mcpx.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the SEP pages in a real browser: carol writes, bob is a maintainer, alice a core maintainer. */
class SepPagesTest extends BrowserTest {
    static String document(String title) {
        StringBuilder text = new StringBuilder("# SEP-XXXX: " + title + "\n\n- **Status**: Draft\n");
        for (String section : List.of(
                "Abstract",
                "Motivation",
                "Specification",
                "Rationale",
                "Backward Compatibility",
                "Security Implications",
                "Reference Implementation")) {
            text.append("\n## ").append(section).append("\n\nWhat there is to say.\n");
        }
        return text.toString();
    }

    private Json request(String identity, String method, String path, Json body)
            throws IOException, InterruptedException {
        HttpResponse<String> answer = consoleTestServer.call(method, identity, path, body.raw());
        assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 201);
        return Json.parse(answer.body()).orElseThrow();
    }

    private Json with(String name, String value) {
        return Json.object().with(name, Json.ofText(value));
    }

    private void submit(String identity, String document) throws IOException, InterruptedException {
        request(identity, "POST", "/seps", with("document", document));
    }

    private void sponsor(int number) throws IOException, InterruptedException {
        request("bob", "POST", "/seps/" + number + "/sponsor", Json.object());
    }

    private void move(int number, String to, Json more) throws IOException, InterruptedException {
        request("bob", "POST", "/seps/" + number + "/move", more.with("to", Json.ofText(to)));
    }

    /** Moves SEP 1, whose sponsor is bob, to provisional. */
    private void moveToProvisional() throws IOException, InterruptedException {
        request(
                "bob",
                "POST",
                "/seps/1/attach",
                Json.object().with("evidence", with("goals", "https://example.org/goals")));
        request("alice", "POST", "/seps/1/confirm", with("kind", "goals"));
        move(1, "provisional", Json.object());
    }

    private static Locator region(Page page, String name) {
        return page.getByRole(
                AriaRole.REGION, new Page.GetByRoleOptions().setName(name).setExact(true));
    }

    private static Locator region(Page page, Pattern name) {
        return page.getByRole(AriaRole.REGION, new Page.GetByRoleOptions().setName(name));
    }

    @Test
    void theBoardHasTheSepsOfEachStateAndSaysWhoseMoveItIs() throws Exception {
        submit("carol", document("Paging for every list"));
        submit("carol", document("A registry of servers"));
        sponsor(2);
        request("carol", "POST", "/seps/1/withdraw", with("reason", "no longer needed"));
        submit("carol", document("Lists of tools"));

        Page page = windows.go(windows.signedInAs("bob"), "/console/seps");

        assertThat(region(page, Pattern.compile("^proposal"))).containsText("Lists of tools");
        assertThat(region(page, Pattern.compile("^proposal"))).containsText("you can act");
        assertThat(region(page, Pattern.compile("^draft"))).containsText("A registry of servers");
        assertThat(region(page, Pattern.compile("^draft"))).containsText("sponsor Bob");
        assertThat(region(page, Pattern.compile("^provisional"))).hasCount(0);
        Locator settled = region(page, "Closed");
        assertThat(settled.getByText("Paging for every list")).isHidden();
        settled.getByText("withdrawn").click();
        assertThat(settled.getByText("Paging for every list")).isVisible();

        Page reader = windows.go(windows.signedInAs("carol"), "/console/seps");
        assertThat(region(reader, Pattern.compile("^proposal"))).containsText("waiting for a maintainer");
        assertThat(reader.getByText(Pattern.compile("waiting for you|you can act")))
                .hasCount(0);
    }

    @Test
    void sepsAreFoundByTheirWordsAuthorsAndStates() throws Exception {
        submit("carol", document("Paging for every list"));
        submit("helper", document("A registry of servers"));
        Page page = windows.go(windows.signedInAs("bob"), "/console/seps");

        page.getByLabel("Title or number").fill("REGISTRY");
        BrowserWindows.button(page, "Find").click();
        assertThat(page.getByText("A registry of servers")).isVisible();
        assertThat(page.getByText("Paging for every list")).hasCount(0);

        page.getByLabel("Author").fill("carol");
        BrowserWindows.button(page, "Find").click();
        assertThat(page.getByText("No SEP matches this filter.")).isVisible();

        BrowserWindows.link(page, "Show all").click();
        BrowserWindows.link(page, "proposal").click();
        assertThat(page.getByRole(AriaRole.ROW)).hasCount(3);
    }

    @Test
    void manyOfAStateAreReachedPageByPage() throws Exception {
        for (int i = 1; i <= 53; i++) {
            submit("carol", "# Number " + i + " of many\n\n## Abstract\n\nOne.\n\n## Motivation\n\nTwo.\n");
        }
        Page page = windows.go(windows.signedInAs("bob"), "/console/seps");

        assertThat(region(page, Pattern.compile("^proposal")).locator("h2")).containsText("53");
        assertThat(page.getByText("Number 53 of many")).isVisible();
        assertThat(page.getByText("Number 1 of many")).hasCount(0);
        page.getByText("Show all in proposal").click();
        assertThat(page.getByRole(AriaRole.ROW)).hasCount(51);
        page.getByText("Show older SEPs").click();
        assertThat(page.getByText("Number 1 of many")).isVisible();
        assertThat(page.getByRole(AriaRole.ROW)).hasCount(4);
        assertThat(page.getByText("Show older SEPs")).hasCount(0);
    }

    @Test
    void itsPageTellsTheAuthorWhatToDoNextAndAMaintainerSomethingElse() throws Exception {
        submit("carol", document("Paging for every list"));

        Page author = windows.go(windows.signedInAs("carol"), "/console/seps/1");
        assertThat(BrowserWindows.heading(author)).hasText(Pattern.compile("SEP-1\\s+Paging for every list"));
        assertThat(region(author, "What happens next")).containsText("Ask a maintainer to sponsor the SEP");
        assertThat(region(author, "What happens next")).containsText("Waiting for a maintainer:");
        assertThat(region(author, "What happens next")).containsText("Deadline");

        Page maintainer = windows.go(windows.signedInAs("bob"), "/console/seps/1");
        assertThat(region(maintainer, "Waiting for you"))
                .containsText("sponsor the SEP, or comment on what is missing");
    }

    @Test
    void itsWayItsEvidenceAndWhoMayWhatAreToBeSeen() throws Exception {
        submit("carol", document("Paging for every list"));
        sponsor(1);
        moveToProvisional();
        request("carol", "POST", "/seps/1/comment", with("text", "The prototype comes\nnext week."));
        Page page = windows.go(windows.signedInAs("carol"), "/console/seps/1");

        assertThat(page.locator(".rail li")).containsText(new String[] {"proposal", "draft", "provisional"});
        assertThat(page.getByRole(AriaRole.LIST, new Page.GetByRoleOptions().setName("Can move to"))
                        .getByRole(AriaRole.LISTITEM))
                .hasText(new String[] {"prototyping", "in-review"});
        assertThat(page.locator(".rail [aria-current=step]")).containsText("provisional");
        Locator advance = region(page, "Requirements to move on");
        assertThat(advance).containsText("Only the sponsor");
        assertThat(advance.getByRole(AriaRole.LISTITEM).filter(new Locator.FilterOptions().setHas(image(page, "met"))))
                .containsText(new String[] {"Every section of the SEP format"});
        assertThat(advance.getByRole(AriaRole.LISTITEM)
                        .filter(new Locator.FilterOptions().setHas(image(page, "missing")))
                        .first())
                .containsText("A link to working code");
        assertThat(region(page, "Evidence")).containsText("https://example.org/goals");
        assertThat(region(page, Pattern.compile("^Comments"))).containsText("The prototype comes");
        assertThat(region(page, "History")).containsText("Bob moved the SEP from draft to provisional");

        Page sponsor = windows.go(windows.signedInAs("bob"), "/console/seps/1");
        assertThat(region(sponsor, "Requirements to move on")).containsText("You can make this move when");
    }

    private static Locator image(Page page, String name) {
        return page.getByRole(
                AriaRole.IMG, new Page.GetByRoleOptions().setName(name).setExact(true));
    }

    @Test
    void votesAndConcernsAreToBeSeen() throws Exception {
        submit("carol", document("Paging for every list"));
        sponsor(1);
        moveToProvisional();
        Page page = windows.go(windows.signedInAs("carol"), "/console/seps/1");
        assertThat(region(page, "Votes")).hasCount(0);

        move(1, "in-review", with("reason", "it is complete"));
        assertThat(region(page, "Votes")).isVisible();
        request(
                "alice",
                "POST",
                "/seps/1/vote",
                with("ballot", "concern").with("reason", Json.ofText("Cursors leak.")));

        assertThat(region(page, "Votes")).containsText("Open concerns: Alice");
        assertThat(region(page, "Votes")).containsText("Cursors leak.");
        assertThat(region(page, "Requirements to move on")).containsText("Only a core maintainer");
    }

    @Test
    void whatHappensMeanwhileIsSeenWithoutLoadingThePageAnew() throws Exception {
        submit("carol", document("Paging for every list"));
        Page page = windows.go(windows.signedInAs("carol"), "/console/seps/1");
        Page board = windows.go(windows.signedInAs("bob"), "/console/seps");
        Page triage = windows.go(windows.signedInAs("alice"), "/console/seps/triage");
        assertThat(triage.getByText("Paging for every list")).isVisible();
        page.evaluate("window.same = true");

        sponsor(1);

        assertThat(page.locator("#sep-head .badge")).hasText("draft");
        assertThat(page.locator("#sep-guide")).containsText("Improve the Motivation with Bob");
        assertThat(region(board, Pattern.compile("^draft"))).containsText("Paging for every list");
        assertThat(region(board, Pattern.compile("^proposal"))).hasCount(0);
        assertThat(triage.getByText("No SEP needs a sponsor.")).isVisible();
        assertThat(page.evaluate("window.same")).isEqualTo(true);

        request("carol", "PUT", "/seps/1", with("document", document("Paging for all lists") + "\nOne more line.\n"));
        assertThat(page.getByText("One more line.")).isVisible();
        assertThat(BrowserWindows.heading(page)).containsText("Paging for all lists");
    }

    @Test
    void aHostileDocumentDoesNothing() throws Exception {
        submit("carol", document("Nice <script>window.bad = 1</script> title") + """

                ## <img src=x onerror="window.bad = 2"> Heading

                <script>window.bad = 3</script> <img src=x onerror="window.bad = 4">
                <a href="javascript:window.bad = 5">click here</a> [and here](javascript:window.bad=6)
                <iframe src="/console/seps"></iframe> <form action="/sign-out" method="post"><button>Out</button></form>
                <p id="main" style="position:fixed">over</p>
                """);
        request("carol", "POST", "/seps/1/comment", with("text", "<script>window.bad = 7</script> <b>bold</b>"));
        List<String> requests = new ArrayList<>();
        Page page = windows.inboxOf("bob");
        page.onRequest(request -> requests.add(request.url()));

        windows.go(page, "/console/seps/1");

        assertThat(page.getByText("<script>window.bad = 7</script> <b>bold</b>").first())
                .isVisible();
        page.getByText("click here").click();
        page.getByText("and here").click();
        assertThat(page.evaluate("window.bad")).isNull();
        assertThat(page.locator(".document").locator("script, img, iframe, form, [style], [onerror]"))
                .hasCount(0);
        assertThat(page.locator("#main")).hasCount(1);
        assertThat(requests).allMatch(url -> url.startsWith(consoleTestServer.url("/")));
        AccessibilityCheck.assertNoProblems(page);
    }

    @Test
    void aLongDocumentHasContentsThatLeadToItsParts() throws Exception {
        submit("carol", document("Paging for every list"));
        Page page = windows.go(windows.signedInAs("bob"), "/console/seps/1");

        page.getByText("Contents", new Page.GetByTextOptions().setExact(true)).click();
        BrowserWindows.link(page, "Rationale").click();

        assertThat(page.locator("#sep-text-rationale")).isInViewport();
        assertThat(page).hasURL(consoleTestServer.url("/console/seps/1#sep-text-rationale"));
    }

    @Test
    void whoSponsorsHowMuchAndFiguresAreToBeSeen() throws Exception {
        submit("carol", document("Paging for every list"));
        submit("carol", document("A registry of servers"));
        sponsor(1);
        Page page = windows.go(windows.signedInAs("bob"), "/console/seps/triage");
        assertThat(page.getByRole(AriaRole.LISTITEM)).containsText(new String[] {"A registry of servers"});
        assertThat(page.getByText("no response yet")).isVisible();

        BrowserWindows.link(page, "Sponsors").click();
        assertThat(page.getByRole(AriaRole.ROW).filter(new Locator.FilterOptions().setHasText("Bob")))
                .containsText(Pattern.compile("1 of \\d+"));

        BrowserWindows.link(page, "Statistics").click();
        assertThat(page.getByText("2 SEPs, 2 open.")).isVisible();
        Locator chart = region(page, "SEPs by state");
        assertThat(chart.getByRole(AriaRole.IMG)).isVisible();
        chart.getByText("Show as table").click();
        assertThat(chart.getByRole(AriaRole.ROW).filter(new Locator.FilterOptions().setHasText("draft")))
                .containsText("1");
    }

    @Test
    void linksThatProgramsFollowLeadBrowsersToThePage() throws Exception {
        submit("carol", document("Paging for every list"));

        Page page = windows.go(windows.signedInAs("carol"), "/seps/1");

        assertThat(page).hasURL(consoleTestServer.url("/console/seps/1"));
        assertThat(consoleTestServer.call("GET", "carol", "/seps/1", "").body()).startsWith("{\"number\":1");
        assertThat(asked("/seps/1", "text/html").statusCode()).isEqualTo(303);
        assertThat(asked("/seps/1", "*/*").statusCode()).isEqualTo(401);
        assertThat(asked("/seps/stats", "text/html").statusCode()).isEqualTo(401);
    }

    private HttpResponse<String> asked(String path, String accept) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                    HttpRequest.newBuilder(URI.create(consoleTestServer.url(path)))
                            .header("Accept", accept)
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        }
    }

    @Test
    void whereThereIsNothingThePageSaysWhatToDo() {
        Page page = windows.go(windows.signedInAs("carol"), "/console/seps");
        assertThat(page.getByText("There are no SEPs yet.")).isVisible();
        assertThat(BrowserWindows.link(page, "Submit a SEP")).hasAttribute("href", "/console/seps/new");

        windows.go(page, "/console/seps/77");
        assertThat(BrowserWindows.heading(page)).hasText("SEP not found");
        windows.go(page, "/console/seps?state=nowhere");
        assertThat(BrowserWindows.heading(page)).hasText("Invalid request");
        windows.go(page, "/console/seps/stats");
        assertThat(page.getByText("There are no statistics yet.")).isVisible();
        windows.go(page, "/console/seps/triage");
        assertThat(page.getByText("No SEP needs a sponsor.")).isVisible();
        AccessibilityCheck.assertNoProblems(page);
    }

    @Test
    void whereNothingIsKeptThePageSaysSo(@TempDir Path other) throws Exception {
        String config = """
                listen: 127.0.0.1:0
                data: "%s"
                identities:
                  alice: {token: alice-0123456789abcdef}
                topics:
                  ops: {ledger: off, participants: {alice: ["chat.*"]}}
                """.formatted(other);
        try (TestServer server = new TestServer(config, 1)) {
            Page page = windows.signedOut();
            page.navigate(server.signInLink("alice").toString());
            assertThat(BrowserWindows.heading(page)).containsText("Waiting for you");
            page.navigate(server.consoleUrl() + "/console/seps/1");
            assertThat(BrowserWindows.heading(page)).hasText("SEPs are not enabled");
            assertThat(page.getByText("ledger: on")).isVisible();
            assertThat(BrowserWindows.link(page, "Submit a SEP")).hasCount(0);
        }
    }

    @Test
    void withoutScriptsAllOfItIsRead() throws Exception {
        submit("carol", document("Paging for every list"));
        Page page = windows.go(windows.withoutScripts("carol"), "/console/seps");

        BrowserWindows.link(page, "SEP-1 Paging for every list").click();

        assertThat(page.getByText("Ask a maintainer to sponsor the SEP")).isVisible();
        assertThat(page.getByText("What there is to say.").first()).isVisible();
        assertThat(region(page, "History")).containsText("Carol submitted the SEP");
    }

    @Test
    void everyPageIsForEverybodyAtEveryWidthInBothThemes() throws Exception {
        submit(
                "carol",
                document("Paging for every list") + "\n\n| a | b |\n|---|---|\n| " + "wide".repeat(100)
                        + " | x |\n\n```\n" + "code ".repeat(100) + "\n```\n");
        submit("carol", document("A-title-without-a-space-" + "x".repeat(120)));
        sponsor(1);
        moveToProvisional();
        request(
                "bob",
                "POST",
                "/seps/1/attach",
                Json.object().with("evidence", with("minutes", "https://example.org/" + "m".repeat(90))));
        move(1, "in-review", with("reason", "it is complete"));
        request("alice", "POST", "/seps/1/vote", with("ballot", "yes"));
        request("carol", "POST", "/seps/2/withdraw", with("reason", "no longer needed"));
        submit("carol", document("Waits"));
        for (ColorScheme theme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
            Page page = windows.inboxOf("alice", 390, theme);
            for (String path : List.of("", "/1", "/2", "/triage", "/sponsors", "/stats", "?state=in-review")) {
                windows.go(page, "/console/seps" + path);
                BrowserWindows.assertFitsWindow(page);
                AccessibilityCheck.assertNoProblems(page);
            }
            page.setViewportSize(1280, 800);
            for (String path : List.of("", "/1")) {
                windows.go(page, "/console/seps" + path);
                BrowserWindows.assertFitsWindow(page);
                AccessibilityCheck.assertNoProblems(page);
            }
        }
    }
}
