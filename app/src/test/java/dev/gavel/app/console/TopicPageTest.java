package dev.gavel.app.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import dev.gavel.app.TestSocket;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Tests the topic pages in a real browser. */
class TopicPageTest extends BrowserTest {
    private static final String OPS = "/console/topics/ops";
    private static final String NOTES = "{\"path\":\"notes.txt\"}";

    private Page ops(String identity) {
        return windows.go(windows.signedInAs(identity), OPS);
    }

    private static Locator row(Page page, String words) {
        return page.locator("#rows > li").filter(new Locator.FilterOptions().setHasText(words));
    }

    private static Locator member(Page page, String identity) {
        return page.locator("#members > li")
                .filter(new Locator.FilterOptions()
                        .setHas(page.locator(
                                "strong",
                                new Page.LocatorOptions().setHasText(Pattern.compile("^" + identity + "$")))));
    }

    private static Locator sort(Page page, String name) {
        return page.locator("nav.sorts")
                .getByRole(
                        AriaRole.LINK,
                        new Locator.GetByRoleOptions().setName(name).setExact(true));
    }

    private void post(String identity, String envelope) throws IOException, InterruptedException {
        HttpResponse<String> answer = consoleTestServer.call(
                "POST",
                identity,
                "/topics/ops/messages",
                "{\"protocol\":\"mcpx/v0.1\"," + envelope.replace('\'', '"') + "}");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202);
    }

    private void chat(String identity, String id, String text) throws IOException, InterruptedException {
        post(identity, "'id':'" + id + "','kind':'chat.message','payload':{'text':'" + text + "'}");
    }

    private void approve(String identity, String proposal, String path) throws IOException, InterruptedException {
        post(
                identity,
                "'id':'r-" + proposal + "','kind':'mcp.request.tools/call:delete_file','correlationId':'" + proposal
                        + "','to':['files'],'payload':{'jsonrpc':'2.0','id':1,'method':'tools/call','params':"
                        + "{'name':'delete_file','arguments':{'path':'" + path + "'}}}");
    }

    @Test
    void whoIsThereAndWhatTheyMayDoIsSaidAndStaysTrue() throws Exception {
        TestSocket files = consoleTestServer.join("files");
        Page page = windows.go(windows.signedInAs("alice"), "/console/topics");
        assertThat(page.locator("#topics")).containsText("approves calls, rejects, chats");
        BrowserWindows.link(page, "ops").click();
        assertThat(BrowserWindows.heading(page)).hasText("ops");
        assertThat(page.locator("#here")).hasText("2 of 5 connected");
        assertThat(member(page, "Alice")).containsText("you");
        assertThat(member(page, "helper")).containsText("not connected");
        assertThat(member(page, "helper")).containsText("proposes calls");
        assertThat(member(page, "files").locator(".may")).hasText("runs calls");

        member(page, "Alice").locator("summary").click();
        assertThat(member(page, "Alice").locator(".patterns")).containsText("mcp.request.tools/*");

        JsonNode question = files.envelope("mcp.request.tools/list");
        files.send("""
                {"protocol":"mcpx/v0.1","id":"list","kind":"mcp.response.tools/list","to":["system:gateway"],
                 "correlationId":"%s","payload":{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"delete_file",
                 "description":"Deletes <b>one</b> file","annotations":{"destructiveHint":true}}]}}}
                """.formatted(question.path("id").asString()));
        assertThat(member(page, "files").locator(".may")).hasText("runs calls; 1 tool");
        member(page, "files").locator("summary").click();
        assertThat(member(page, "files").locator(".tools")).containsText("Deletes <b>one</b> file");
        assertThat(member(page, "files").locator(".tools")).containsText("destructive");
        // An opened entry stays open when the list is rendered again.
        consoleTestServer.join("bob");
        assertThat(page.locator("#here")).hasText("3 of 5 connected");
        assertThat(member(page, "Alice").locator(".patterns")).isVisible();
        assertThat(row(page, "Bob joined")).isVisible();
    }

    @Test
    void whateverIsUnfoldedFitsTheWindow() throws Exception {
        TestSocket files = consoleTestServer.join("files");
        for (int width : new int[] {1280, 390}) {
            Page page = windows.go(windows.signedInAs("alice", width, ColorScheme.LIGHT), OPS);
            if (width == 1280) {
                files.send("""
                        {"protocol":"mcpx/v0.1","id":"list","kind":"mcp.response.tools/list","to":["system:gateway"],
                         "correlationId":"%s","payload":{"jsonrpc":"2.0","id":1,"result":{"tools":[
                         {"name":"delete_file","description":"Deletes one file, and everything that points to it.",
                          "annotations":{"destructiveHint":true,"openWorldHint":true}},
                         {"name":"%s","description":"%s"}]}}}
                        """.formatted(
                        files.envelope("mcp.request.tools/list").path("id").asString(),
                        "a_long_name_".repeat(8),
                        "x".repeat(200)));
            }
            assertThat(member(page, "files").locator(".may")).hasText("runs calls; 2 tools");
            page.evaluate("() => document.querySelectorAll('details').forEach(each => each.open = true)");
            assertThat(member(page, "files").locator(".tools dd").first()).isVisible();
            BrowserWindows.assertFitsWindow(page);
            assertThat(page.locator("#members dd, #members dt, #members li")
                            .evaluateAll("all => all.filter(each => each.scrollWidth > each.clientWidth + 1).length"))
                    .as("what is cut at " + width)
                    .isEqualTo(0);
        }
    }

    @Test
    void whatIsProposedAndDecidedElsewhereAppearsStepByStepAndItsPageTellsTheStory() throws Exception {
        TestSocket files = consoleTestServer.join("files");
        Page page = ops("alice");
        consoleTestServer.propose("p-1", "delete_file", NOTES);
        assertThat(row(page, "helper proposed delete_file")).isVisible();
        consoleTestServer.sendEnvelope(
                "bob", "s-1", "mcpx.status.proposal", "p-1", "{\"status\":\"considering\",\"note\":\"a moment\"}");
        assertThat(row(page, "Bob is considering delete_file")).containsText("a moment");
        approve("bob", "p-1", "old.txt");
        consoleTestServer.run(files, "delete_file", ConsoleTestServer.textResult("done"));
        assertThat(row(page, "Bob edited and approved delete_file, to be run by files"))
                .isVisible();
        assertThat(page.locator("#rows > li").first()).containsText("files reported that delete_file succeeded");
        page.reload();
        assertThat(page.locator("#rows > li[data-sort=proposals]")).hasCount(4);

        row(page, "helper proposed").getByRole(AriaRole.LINK).click();
        assertThat(page.locator("#story .timeline > li")).hasCount(4);
        assertThat(page.locator("#story")).containsText("Bob edited and approved it, to be run by files.");
        assertThat(page.locator("#story .changes")).containsText("notes.txt");
        assertThat(page.locator("#story .changes")).containsText("old.txt");
        assertThat(page.locator("#story .badge")).hasText("succeeded");
    }

    @Test
    void aProposalsPageSaysWhoseMoveItIsAndFollowsIt() throws Exception {
        consoleTestServer.propose("p-1", "delete_file", NOTES);
        Page page = windows.go(windows.signedInAs("alice"), "/console/proposals/ops/p-1");
        Locator next = page.getByRole(
                AriaRole.REGION, new Page.GetByRoleOptions().setName(Pattern.compile("What happens next")));
        assertThat(next).containsText("approve or reject it above");
        assertThat(next).containsText("you or Bob");
        consoleTestServer.sendEnvelope(
                "bob", "s-1", "mcpx.reject.proposal", "p-1", "{\"reason\":\"policy\",\"note\":\"not on a Friday\"}");
        assertThat(page.locator("#story")).containsText("Bob rejected it: policy.");
        assertThat(page.locator("#story")).containsText("not on a Friday");
        assertThat(page.locator("#story .badge")).hasText("rejected");
        assertThat(next).containsText("Nothing to do: the proposal was rejected.");
    }

    @Test
    void twoPeopleTalk() {
        Page alice = ops("alice");
        Page bob = ops("bob");
        Locator text = alice.getByLabel("Message to all members");
        text.fill("Shall we?\nSoon.");
        text.press("Enter");
        assertThat(row(bob, "Shall we?")).containsText("Alice");
        assertThat(row(alice, "Shall we?")).containsText("You");
        assertThat(text).hasValue("");
        assertThat(text).isFocused();
        bob.getByLabel("Message to all members").fill("Yes.");
        BrowserWindows.button(bob, "Send").click();
        assertThat(row(alice, "Yes.")).containsText("Bob");
        assertThat(alice.locator("#news")).containsText("Bob Yes.");
        alice.reload();
        assertThat(alice.locator("#rows > li[data-sort=chat]")).hasCount(2);
    }

    @Test
    void whatCannotBeSaidStaysWithTheReasonBeside() {
        Page page = ops("alice");
        Locator text = page.getByLabel("Message to all members");
        text.evaluate("field => field.removeAttribute('maxlength')");
        text.fill("x".repeat(4001));
        BrowserWindows.button(page, "Send").click();
        assertThat(page.getByRole(AriaRole.ALERT)).containsText("longer than 4000 characters");
        assertThat(text).hasValue("x".repeat(4001));
        assertThat(page.locator("#rows > li[data-sort=chat]")).hasCount(0);
    }

    @Test
    void somebodyWhoMayNotTalkIsNotAskedTo() {
        Page page = ops("helper");
        assertThat(member(page, "helper")).containsText("you");
        assertThat(page.locator("#chat")).hasCount(0);
    }

    @Test
    void rowsAreFilteredAtOnceAndByTheAddress() throws Exception {
        consoleTestServer.propose("p-1", "delete_file", NOTES);
        chat("bob", "c-1", "hello");
        chat("alice", "c-2", "good day");
        Page page = ops("alice");
        assertThat(row(page, "hello")).isVisible();
        sort(page, "Chat").click();
        assertThat(row(page, "proposed")).isHidden();
        assertThat(row(page, "hello")).isVisible();
        assertThat(page).hasURL(Pattern.compile("\\?show=chat$"));
        page.getByLabel("Member", new Page.GetByLabelOptions().setExact(true)).selectOption("bob");
        assertThat(row(page, "good day")).isHidden();
        assertThat(page).hasURL(Pattern.compile("\\?show=chat&who=bob$"));
        consoleTestServer.propose("p-2", "delete_file", NOTES);
        chat("bob", "c-3", "me again");
        assertThat(row(page, "me again")).isVisible();
        assertThat(row(page, "proposed").first()).isHidden();

        page.reload();
        assertThat(page.locator("#rows > li")).hasCount(2);
        assertThat(sort(page, "Chat")).hasAttribute("aria-current", "true");
        page.getByLabel("Member", new Page.GetByLabelOptions().setExact(true)).selectOption("");
        sort(page, "All").click();
        assertThat(row(page, "proposed")).hasCount(2);

        Page plain = windows.go(windows.withoutScripts("alice"), OPS + "?show=proposals");
        assertThat(plain.locator("#rows > li")).hasCount(2);
        sort(plain, "Chat").click();
        plain.getByLabel("Member", new Page.GetByLabelOptions().setExact(true)).selectOption("alice");
        BrowserWindows.button(plain, "Apply").click();
        assertThat(plain.locator("#rows > li")).hasCount(1);
        assertThat(plain.locator("#rows > li")).containsText("good day");
    }

    @Test
    void whateverOthersWriteIsShownAsText() throws Exception {
        Page page = ops("alice");
        chat("bob", "c-1", "<img src=x onerror=document.title=1>\u202eevil");
        consoleTestServer.propose("p<b>", "<i>rm</i>\u202e", "{}");
        consoleTestServer.sendEnvelope(
                "bob",
                "r-1",
                "mcpx.reject.proposal",
                "p<b>",
                "{\"reason\":\"<u>no</u>\",\"note\":\"<a href=x>\u2066y\"}");
        assertThat(row(page, "<img src=x onerror=document.title=1>\\u202eevil")).isVisible();
        assertThat(row(page, "helper proposed <i>rm</i>\\u202e")).isVisible();
        assertThat(row(page, "Bob rejected <i>rm</i>\\u202e: <u>no</u>")).containsText("<a href=x>\\u2066y");
        assertThat(page.locator("#rows").locator("img, i, u, a[href=x]")).hasCount(0);
        row(page, "Bob rejected").getByRole(AriaRole.LINK).click();
        assertThat(page.locator("#story")).containsText("Bob rejected it: <u>no</u>.");
        windows.go(page, OPS + "/proposals");
        assertThat(page.locator("#list")).containsText("<i>rm</i>\\u202e");
        assertThat(page).hasTitle("Proposals in ops · Gavel");
    }

    @Test
    void withoutScriptsItIsReadAndTalkedInAllTheSame() throws Exception {
        consoleTestServer.propose("p-1", "delete_file", NOTES);
        Page page = windows.go(windows.withoutScripts("bob"), OPS);
        assertThat(row(page, "helper proposed delete_file")).isVisible();
        assertThat(member(page, "helper")).containsText("proposes calls");
        page.getByLabel("Message to all members").fill("I am old-fashioned");
        BrowserWindows.button(page, "Send").click();
        assertThat(row(page, "I am old-fashioned")).containsText("You");
        assertThat(page.url()).isEqualTo(consoleTestServer.url(OPS));
    }

    @Test
    void itGoesOnAfterTheServerWasStartedAnew() throws Exception {
        Page page = ops("alice");
        consoleTestServer.propose("p-1", "delete_file", NOTES);
        assertThat(row(page, "helper proposed")).hasCount(1);
        consoleTestServer.stop();
        assertThat(page.locator("#link")).containsText("Not connected");
        consoleTestServer.start();
        consoleTestServer.propose("p-2", "delete_file", NOTES);
        assertThat(row(page, "helper proposed")).hasCount(2);
        chat("bob", "c-1", "back again");
        assertThat(row(page, "back again")).isVisible();
    }

    @Test
    void aFloodLeavesAPageThatCanBeUsed() throws Exception {
        Page page = ops("alice");
        TestSocket bob = consoleTestServer.join("bob");
        assertThat(row(page, "Bob joined")).isVisible();
        for (int i = 0; i < 3000; i++) {
            bob.send("{\"protocol\":\"mcpx/v0.1\",\"id\":\"f-" + i
                    + "\",\"kind\":\"chat.message\",\"payload\":{\"text\":\"flood " + i + "\"}}");
        }
        assertThat(row(page, "flood 2999")).isVisible();
        Object rows = page.evaluate("() => document.querySelectorAll('#rows > li').length");
        assertThat(((Number) rows).intValue()).isLessThanOrEqualTo(400);
        page.getByLabel("Message to all members").fill("enough");
        BrowserWindows.button(page, "Send").click();
        assertThat(row(page, "enough")).isVisible();
    }

    @Test
    void goingFromPageToPageIsNoLeaving() throws Exception {
        Page alice = ops("alice");
        Page bob = ops("bob");
        assertThat(row(alice, "Bob joined")).isVisible();
        windows.go(bob, "/");
        windows.go(bob, OPS);
        chat("bob", "c-1", "still here");
        assertThat(row(alice, "still here")).isVisible();
        assertThat(row(alice, "Bob joined")).hasCount(1);
        assertThat(row(alice, "Bob left")).hasCount(0);
    }

    @Test
    void whoIsNoMemberSeesNothingAndAnAdminWhoIsThere() {
        Page carol = windows.go(windows.signedInAs("carol"), "/console/topics");
        assertThat(carol.locator("main")).containsText("You are not a member of any topic.");
        windows.go(carol, OPS);
        assertThat(BrowserWindows.heading(carol)).hasText("Not found");
        windows.go(carol, OPS + "/proposals");
        assertThat(BrowserWindows.heading(carol)).hasText("Not found");

        Page alice = windows.go(windows.signedInAs("alice"), "/console/topics/quiet");
        assertThat(alice.locator("main")).containsText("You are not a member of this topic.");
        assertThat(member(alice, "Bob")).containsText("approves calls, rejects");
        assertThat(alice.locator("#rows")).hasCount(0);
        windows.go(alice, "/console/topics/quiet/proposals");
        assertThat(BrowserWindows.heading(alice)).hasText("Not found");
    }

    @Test
    void endedProposalsAreFoundAndOldOnesToo() throws Exception {
        for (int i = 0; i < 52; i++) {
            consoleTestServer.propose("p-" + i, "delete_file", "{\"n\":" + i + "}");
        }
        consoleTestServer.sendEnvelope("bob", "r-1", "mcpx.reject.proposal", "p-7", "{\"reason\":\"policy\"}");
        Page page = windows.go(windows.signedInAs("alice"), OPS);
        page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName(Pattern.compile("^Proposals \\d+ open$")))
                .click();
        assertThat(page.locator(".proposals > li")).hasCount(50);
        BrowserWindows.link(page, "Older →").click();
        assertThat(page.locator(".proposals > li")).hasCount(2);
        assertThat(page.locator(".proposals > li").last()).containsText("{\"n\":0}");
        BrowserWindows.link(page, "← Newest").click();
        sort(page, "Rejected").click();
        assertThat(page.locator(".proposals > li")).hasCount(1);
        assertThat(page.locator(".proposals")).containsText("Bob rejected it: policy.");
        consoleTestServer.sendEnvelope("bob", "r-2", "mcpx.reject.proposal", "p-8", "{\"reason\":\"policy\"}");
        assertThat(page.locator(".proposals > li")).hasCount(2);
        page.locator(".proposals a").last().click();
        assertThat(BrowserWindows.heading(page)).isVisible();
        assertThat(page.locator("#story .badge")).hasText("rejected");
    }

    @Test
    void everybodyCanUseThem() throws Exception {
        consoleTestServer.join("files");
        consoleTestServer.propose("p-1", "delete_file", NOTES);
        approve("bob", "p-1", "other.txt");
        consoleTestServer.propose(
                "p-2", "a_tool_with_quite_a_long_name_that_does_not_end_soon_" + "x".repeat(60), NOTES);
        chat("bob", "c-1", "w".repeat(300));
        for (ColorScheme theme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
            Page page = windows.inboxOf("alice", 390, theme);
            for (String path : List.of("/console/topics", OPS, OPS + "/proposals", "/console/proposals/ops/p-1")) {
                windows.go(page, path);
                assertThat(BrowserWindows.heading(page)).isVisible();
                page.evaluate("() => document.querySelectorAll('details').forEach((each) => each.open = true)");
                BrowserWindows.assertFitsWindow(page);
                AccessibilityCheck.assertNoProblems(page);
            }
        }
        Page wide = windows.inboxOf("alice", 1280, ColorScheme.LIGHT);
        windows.go(wide, OPS);
        assertThat(row(wide, "Bob edited and approved")).isVisible();
        AccessibilityCheck.assertNoProblems(wide);
    }
}
