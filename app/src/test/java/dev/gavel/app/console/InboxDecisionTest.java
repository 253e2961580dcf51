package dev.gavel.app.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.gavel.app.console.BrowserWindows.button;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import dev.gavel.app.TestSocket;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Tests that reviewers decide proposals in the inbox. */
class InboxDecisionTest extends BrowserTest {
    private static final String PATH = "{\"path\":\"notes.txt\"}";

    private static final String TOOLS = """
            [{"name":"write_file","description":"Writes a text into a file.","annotations":{"destructiveHint":true},
              "inputSchema":{"type":"object","required":["path"],"additionalProperties":false,"properties":{
                "path":{"type":"string","description":"Where it shall be."},"depth":{"type":"integer"}}}},
             {"name":"look","description":"Looks.","annotations":{"readOnlyHint":true}}]
            """;

    private static Locator card(Page page, String what) {
        return page.getByRole(AriaRole.ARTICLE)
                .filter(new Locator.FilterOptions()
                        .setHas(page.getByText(what, new Page.GetByTextOptions().setExact(true))));
    }

    private static Locator editor(Locator card) {
        return card.getByLabel(Pattern.compile("Edited arguments"));
    }

    /** Opens the editor, and waits until it reacts to typing. */
    private static void edit(Locator card) {
        card.getByText("Edit…").click();
        assertThat(editor(card)).isVisible();
        awaitSettled(card);
    }

    /**
     * Waits until htmx has attached listeners to new content. This happens sooner than a person can type, but later
     * than a test does.
     */
    private static void awaitSettled(Locator card) {
        assertThat(card.page().locator(".htmx-swapping, .htmx-added, .htmx-settling"))
                .hasCount(0);
    }

    @Test
    void otherArgumentsAreCheckedBySchemaShownAsADifferenceAndRun() throws Exception {
        TestSocket files = consoleTestServer.joinWithTools("files", TOOLS);
        consoleTestServer.propose("p-1", "write_file", PATH);
        Page page = windows.inboxOf("alice");
        Locator card = card(page, "write_file");
        assertThat(card).containsText("destructive");
        assertThat(card).containsText("Writes a text into a file.");
        edit(card);
        assertThat(editor(card)).isFocused();
        assertThat(card).containsText("No changes to the proposed arguments");

        editor(card).fill("{\n  \"path\": 5,\n  \"dept\": 1\n}");
        assertThat(card.locator(".troubles")).containsText("Line 2: 'path': integer found, string expected");
        assertThat(card.locator(".troubles"))
                .containsText("Line 3: write_file has no argument 'dept'; did you mean 'depth'?");
        assertThat(card.locator(".gutter .wrong")).hasText(new String[] {"2", "3"});
        button(card, "Approve with edits").click();
        assertThat(card.getByRole(AriaRole.ALERT)).containsText("Nothing was approved");
        assertThat(editor(card)).hasValue("{\n  \"path\": 5,\n  \"dept\": 1\n}");
        awaitSettled(card);

        editor(card).fill("{\n  \"path\": \"other.txt\"\n}");
        assertThat(card.locator(".troubles")).hasCount(0);
        assertThat(card.locator(".difference .removed")).containsText("notes.txt");
        assertThat(card.locator(".difference .added")).containsText("other.txt");
        button(card, "Approve with edits").click();
        JsonNode request = consoleTestServer.run(files, "write_file", ConsoleTestServer.textResult("done"));
        assertThat(request.path("payload").path("params").path("arguments").toString())
                .isEqualTo("{\"path\":\"other.txt\"}");
        assertThat(card).containsText("Edited and approved by you, run by files. It succeeded.");
        page.reload();
        assertThat(page.locator("#lately")).containsText("write_file Edited and approved by you");
        page.locator("#lately").getByRole(AriaRole.LINK).click();
        assertThat(card.locator(".difference .added")).containsText("other.txt");
        assertThat(consoleTestServer.proposal("p-1").path("timeline").toString())
                .contains("\"edited\":true");
    }

    @Test
    void aCallOfAToolThatChangedIsApprovedForItsNewDefinition() throws Exception {
        TestSocket files = consoleTestServer.joinWithTools("files", TOOLS);
        consoleTestServer.propose("p-0", "look", "{}");
        await().until(() ->
                consoleTestServer.proposal("p-0").path("tools").toString().contains("\"listed\""));
        consoleTestServer.propose("p-1", "write_file", PATH);
        Page page = windows.inboxOf("alice");
        Locator card = card(page, "write_file");
        assertThat(card).containsText("Writes a text into a file.");
        assertThat(card.locator(".definition")).hasCount(0);
        consoleTestServer.announceTools(
                files, "news-2", TOOLS.replace("Writes a text into a file.", "Writes a text and sends it away."));

        assertThat(card.locator(".definition")).containsText("changed since the call was proposed (description)");
        assertThat(card.locator(".difference .removed")).containsText("Writes a text into a file.");
        assertThat(card.locator(".difference .added")).containsText("Writes a text and sends it away.");
        awaitSettled(card);
        card.getByText("Approve…").click();
        assertThat(card.locator("form.confirm")).containsText("You approve the call for the new definition");
        awaitSettled(card);
        card.locator("form.confirm button.danger").click();
        consoleTestServer.run(files, "write_file", ConsoleTestServer.textResult("done"));
        assertThat(card).containsText("It succeeded.");
    }

    @Test
    void aFormOnAPageOfItsOwnDecidesToo() throws Exception {
        TestSocket files = consoleTestServer.joinWithTools("files", TOOLS);
        consoleTestServer.propose("p-1", "write_file", PATH);
        consoleTestServer.propose("p-2", "write_file", PATH);
        consoleTestServer.propose("p-3", "write_file", PATH);
        Page page = windows.signedInAs("alice");
        windows.go(page, "/console/proposals/ops/p-1/edit");
        button(page.locator("form.rewrite"), "Approve with edits").click();
        assertThat(page.locator("main")).containsText("Approved by you");
        consoleTestServer.run(files, "write_file", ConsoleTestServer.textResult("done"));

        windows.go(page, "/console/proposals/ops/p-2/approve");
        page.locator("form.confirm button.danger").click();
        assertThat(page.locator("main")).containsText("Approved by you");
        consoleTestServer.run(files, "write_file", ConsoleTestServer.textResult("done"));

        windows.go(page, "/console/proposals/ops/p-3/reject");
        page.getByRole(AriaRole.RADIO, new Page.GetByRoleOptions().setName("unsafe"))
                .check();
        button(page.locator("form.reject"), "Reject").click();
        assertThat(page.locator("main")).containsText("Rejected by you");
    }

    @Test
    void anEditThatDoesNotMatchTheSchemaRunsOnlyIfTheReviewerSaysSo() throws Exception {
        TestSocket files = consoleTestServer.joinWithTools("files", TOOLS);
        consoleTestServer.propose("p-1", "write_file", PATH);
        Page page = windows.inboxOf("alice");
        Locator card = card(page, "write_file");
        assertThat(card).containsText("Writes a text into a file.");
        edit(card);
        editor(card).fill("{\"path\": \"notes.txt\", \"dept\": 1}");
        assertThat(card.locator(".troubles")).containsText("did you mean 'depth'?");
        card.getByLabel("Approve the arguments even if they do not match").check();
        awaitSettled(card);
        button(card, "Approve with edits").click();

        JsonNode request = consoleTestServer.run(files, "write_file", ConsoleTestServer.textResult("done"));
        assertThat(request.path("unchecked").asBoolean()).isTrue();
        assertThat(request.path("payload")
                        .path("params")
                        .path("arguments")
                        .path("dept")
                        .asInt())
                .isEqualTo(1);
    }

    @Test
    void whatAServerSaysOfAToolReachesACardThatIsOpen() throws Exception {
        consoleTestServer.propose("p-1", "write_file", PATH);
        Page page = windows.inboxOf("alice");
        Locator card = card(page, "write_file");
        assertThat(button(card, "Approve…")).isDisabled();
        assertThat(card).containsText("No connected participant lists this tool, so what it does is unknown.");
        consoleTestServer.joinWithTools("files", TOOLS);
        assertThat(card).containsText("destructive");
        assertThat(card).hasAttribute("data-careful", "yes");
        Page its = windows.go(windows.signedInAs("bob"), "/console/proposals/ops/p-1");
        assertThat(card(its, "write_file")).containsText("destructive");
    }

    @Test
    void theProposalsOwnPageIsLiveWhateverItsIdIsMadeOf() throws Exception {
        consoleTestServer.propose("p 1+%", "look", PATH);
        Page page = windows.go(windows.signedInAs("alice"), "/console/proposals/ops/p%201%2B%25");
        assertThat(button(card(page, "look"), "Approve…")).isDisabled();
        consoleTestServer.join("files");
        assertThat(card(page, "look").locator("a[data-key=a]")).hasText("Approve…");
        consoleTestServer.sendEnvelope("helper", "w-1", "mcpx.withdraw.proposal", "p 1+%", "{}");
        assertThat(card(page, "look")).containsText("Withdrawn by helper");
    }

    @Test
    void whatIsNoObjectIsNotEdited() throws Exception {
        consoleTestServer.joinWithTools("files", TOOLS);
        consoleTestServer.propose("p-1", "look", "[\"x\"]");
        Page page = windows.inboxOf("alice");
        assertThat(button(card(page, "look"), "Approve")).isEnabled();
        assertThat(card(page, "look").getByText("Edit…")).hasCount(0);
        windows.go(page, "/console/proposals/ops/p-1/edit");
        assertThat(page.getByRole(AriaRole.ALERT)).containsText("This proposal cannot be edited now.");
    }

    @Test
    void aKeyMeantForACardThatWentIsNotAboutAnother() throws Exception {
        consoleTestServer.joinWithTools("files", TOOLS);
        consoleTestServer.propose("p-1", "look", PATH);
        consoleTestServer.propose("p-2", "other", PATH);
        Page page = windows.inboxOf("alice");
        page.keyboard().press("j");
        assertThat(card(page, "look")).isFocused();
        consoleTestServer.sendEnvelope("helper", "w-1", "mcpx.withdraw.proposal", "p-1", "{}");
        assertThat(card(page, "look")).containsText("Withdrawn by helper");
        // The card keeps its place while it has the focus, and a key meant for it does nothing.
        page.keyboard().press("a");
        assertThat(page.locator("#news")).containsText("This action is not available here.");
        assertThat(card(page, "look")).isFocused();
        page.keyboard().press("j");
        assertThat(card(page, "other")).isFocused();
        assertThat(card(page, "look")).hasCount(0);
        assertThat(consoleTestServer.proposal("p-2").path("state").asString()).isEqualTo("open");
    }

    @Test
    void whatIsNoJsonSaysWhere() throws Exception {
        consoleTestServer.join("files");
        consoleTestServer.propose("p-1", "write_file", PATH);
        Page page = windows.inboxOf("alice");
        Locator card = card(page, "write_file");
        edit(card);
        editor(card).fill("{\n  \"path\": \"a\",\n  oops\n}");
        assertThat(card.locator(".troubles")).containsText("Line 3: Invalid JSON");
        page.keyboard().press("Escape");
        button(page, "Discard").click();
        assertThat(editor(card)).hasCount(0);
        assertThat(card).isFocused();
    }

    @Test
    void argumentsThatAreEditedIntoWhatTheyWereAreSentLetterForLetter() throws Exception {
        TestSocket files = consoleTestServer.joinWithTools("files", TOOLS);
        consoleTestServer.propose("p-1", "look", "{\"n\":1.00}");
        Page page = windows.inboxOf("alice");
        Locator card = card(page, "look");
        edit(card);
        button(card, "Approve with edits").click();
        consoleTestServer.run(files, "look", ConsoleTestServer.textResult("done"));
        assertThat(card).containsText("Approved by you, run by files.");
        assertThat(consoleTestServer.proposal("p-1").path("timeline").toString())
                .doesNotContain("\"edited\":true");
    }

    @Test
    void whoeverConsidersItSaysSoOnce() throws Exception {
        consoleTestServer.propose("p-1", "look", PATH);
        Page page = windows.inboxOf("alice");
        button(card(page, "look"), "Mark as considering").click();
        assertThat(card(page, "look")).containsText("Your status: considering");
        assertThat(button(card(page, "look"), "Mark as considering")).hasCount(0);
        assertThat(consoleTestServer.proposal("p-1").path("timeline").toString())
                .contains("considering");
    }

    @Test
    void keysDoWhatButtonsDo() throws Exception {
        TestSocket files = consoleTestServer.joinWithTools("files", TOOLS);
        consoleTestServer.propose("p-1", "look", PATH);
        consoleTestServer.propose("p-2", "write_file", "{\"path\":\"../../etc/passwd\"}");
        consoleTestServer.propose("p-3", "third", PATH);
        Page page = windows.inboxOf("alice");
        assertThat(page.getByRole(AriaRole.ARTICLE)).hasCount(3);

        page.keyboard().press("?");
        assertThat(page.getByRole(AriaRole.DIALOG)).containsText("reject, with a reason");
        page.keyboard().press("Escape");
        assertThat(page.getByRole(AriaRole.DIALOG)).isHidden();

        page.keyboard().press("j");
        assertThat(card(page, "look")).isFocused();
        page.keyboard().press("j");
        page.keyboard().press("k");
        assertThat(card(page, "look")).isFocused();
        page.keyboard().press("a");
        consoleTestServer.run(files, "look", ConsoleTestServer.textResult("seen"));
        assertThat(card(page, "look")).containsText("It succeeded.");

        page.keyboard().press("j");
        assertThat(card(page, "write_file")).isFocused();
        assertThat(card(page, "write_file")).containsText("path leaves its folder");
        page.keyboard().press("a");
        assertThat(card(page, "write_file").locator("form.confirm")).isFocused();
        assertThat(card(page, "write_file").locator("form.confirm"))
                .containsText("Run write_file on files? files says that this tool can delete or overwrite data.");
        page.keyboard().press("a");
        page.keyboard().press("Enter");
        assertThat(consoleTestServer.proposal("p-2").path("state").asString()).isEqualTo("open");
        page.keyboard().press("y");
        consoleTestServer.run(files, "write_file", ConsoleTestServer.textResult("written"));
        assertThat(card(page, "write_file")).containsText("It succeeded.");

        page.keyboard().press("j");
        assertThat(card(page, "third")).isFocused();
        page.keyboard().press("r");
        card(page, "third")
                .getByRole(AriaRole.RADIO, new Locator.GetByRoleOptions().setName("policy"))
                .check();
        card(page, "third").getByLabel(Pattern.compile("Note")).fill("jar");
        button(card(page, "third"), "Reject").click();
        assertThat(card(page, "third")).containsText("Rejected by you: policy (jar)");
    }

    @Test
    void ofTwoWhoApproveAtOnceOneDoesAndTheOtherIsToldWho() throws Exception {
        TestSocket files = consoleTestServer.joinWithTools("files", TOOLS);
        consoleTestServer.propose("p-1", "look", PATH);
        Page alice = windows.inboxOf("alice");
        Page bob = windows.inboxOf("bob");
        assertThat(card(bob, "look")).containsText("Runs on files");
        // Bob's page receives no more updates, so that his click follows Alice's.
        bob.evaluate("() => document.querySelector('.approve').setAttribute('hx-swap', 'outerHTML settle:0')");
        List.of(alice, bob)
                .forEach(page -> page.evaluate("() => { document.querySelector('.approve button')?.click(); }"));
        consoleTestServer.run(files, "look", ConsoleTestServer.textResult("seen"));
        assertThat(card(alice, "look")).containsText(Pattern.compile("Approved by (you|Bob), run by files"));
        assertThat(card(bob, "look")).containsText(Pattern.compile("Approved by (you|Alice), run by files"));
        assertThat(consoleTestServer.proposal("p-1").path("timeline").toString().split("\"fulfilled\"", -1))
                .hasSize(2);
    }

    @Test
    void sepsWhoseNextMoveIsMineAreThereTooAndCount() throws Exception {
        consoleTestServer.propose("p-1", "look", PATH);
        Page page = windows.inboxOf("bob");
        assertThat(page).hasTitle("(1) Inbox · Gavel");
        consoleTestServer.submit("carol", "Paging for every list");
        Locator sep = page.locator("#seps article");
        assertThat(sep).containsText("Paging for every list");
        assertThat(sep).containsText("Next:");
        assertThat(page).hasTitle("(2) Inbox · Gavel");
        assertThat(page.locator("#count")).hasText("2");
        assertThat(page.locator("#icon")).hasAttribute("href", "/console/icon/2");
        assertThat(sep.getByRole(AriaRole.LINK)).hasAttribute("href", "/console/seps/1");
    }

    @Test
    void aThousandWaitAndAllCanBeReached() throws Exception {
        consoleTestServer.proposeMany(1_010);
        Page page = windows.inboxOf("alice");
        assertThat(page.locator("#count")).hasText("1010");
        assertThat(page.locator("#inbox > article")).hasCount(1_000);
        assertThat(page.getByText("More waiting proposals: 10")).isVisible();
        page.keyboard().press("End");
        assertThat(page.locator("#inbox > article:last-child h2")).hasText("tool-999");
        // Counts frames while the page is scrolled; their duration depends on the machine.
        Object frames = page.evaluate("""
                () => new Promise((done) => {
                  let frames = 0;
                  let at = 0;
                  const step = () => {
                    frames++;
                    at += 4000;
                    window.scrollTo(0, at);
                    if (at < document.documentElement.scrollHeight) { requestAnimationFrame(step); } else { done(frames); }
                  };
                  step();
                })
                """);
        assertThat(((Number) frames).intValue()).isGreaterThan(20);
    }

    @Test
    void anybodyCanUseItByKeyboardAndScreenReader() throws Exception {
        consoleTestServer.joinWithTools("files", TOOLS);
        consoleTestServer.propose("p-1", "write_file", "{\"path\":\"/etc/passwd\",\"text\":\"a\\nb\"}");
        consoleTestServer.propose("p-2", "look", PATH);
        consoleTestServer.submit("carol", "Paging for every list");
        for (ColorScheme theme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
            Page page = windows.inboxOf("alice", 390, theme);
            edit(card(page, "write_file"));
            editor(card(page, "write_file")).fill("{\"path\": 5}");
            assertThat(page.locator(".troubles")).isVisible();
            card(page, "look").getByText("Reject…").click();
            assertThat(button(card(page, "look"), "Reject")).isVisible();
            BrowserWindows.assertFitsWindow(page);
            AccessibilityCheck.assertNoProblems(page);
        }
    }

    @Test
    void withoutScriptsArgumentsAreEditedOnAPageOfTheirOwn() throws Exception {
        TestSocket files = consoleTestServer.joinWithTools("files", TOOLS);
        consoleTestServer.propose("p-1", "write_file", PATH);
        Page page = windows.withoutScripts("alice");
        card(page, "write_file").getByText("Edit…").click();
        Locator main = page.locator("main");
        editor(main).fill("{\"path\": 5}");
        button(main, "Check").click();
        assertThat(main).containsText("'path': integer found, string expected");
        editor(main).fill("{\"path\": \"other.txt\"}");
        page.waitForResponse(
                response -> response.status() == 200,
                () -> button(main, "Approve with edits").click());
        page.waitForLoadState();
        consoleTestServer.run(files, "write_file", ConsoleTestServer.textResult("done"));
        page.reload();
        assertThat(card(page, "write_file")).containsText("Edited and approved by you");
    }
}
