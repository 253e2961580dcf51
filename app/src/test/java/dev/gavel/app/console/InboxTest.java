package dev.gavel.app.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.gavel.app.console.BrowserWindows.button;
import static dev.gavel.app.console.BrowserWindows.heading;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import dev.gavel.app.TestServer;
import dev.gavel.app.TestSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Tests the inbox in a real browser. */
class InboxTest extends BrowserTest {
    private static final String PATH = "{\"path\":\"notes.txt\"}";

    private Page signedIn(Page page, String who) {
        page.navigate(consoleTestServer.url("/sign-in"));
        page.getByLabel("Your token").fill(who + TestServer.SECRET);
        page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Sign in"))
                .click();
        assertThat(heading(page)).containsText("Waiting for you");
        return page;
    }

    private static Locator card(Page page, String tool) {
        return page.getByRole(AriaRole.ARTICLE)
                .filter(new Locator.FilterOptions()
                        .setHas(page.getByText(tool, new Page.GetByTextOptions().setExact(true))));
    }

    private static void choose(Locator card, String reason) {
        card.getByRole(
                        AriaRole.RADIO,
                        new Locator.GetByRoleOptions().setName(reason).setExact(true))
                .check();
    }

    private static void openAndReject(Locator card, String reason, String note) {
        card.getByText("Reject…").click();
        reject(card, reason, note);
    }

    private static void reject(Locator card, String reason, String note) {
        choose(card, reason);
        card.getByLabel(Pattern.compile("Note")).fill(note);
        button(card, "Reject").click();
    }

    @Test
    void theLinkThatServePrintsSignsInOnce() {
        String link = consoleTestServer.signInLink("alice");
        Page page = windows.signedOut();
        page.navigate(link);
        assertThat(heading(page)).containsText("Waiting for you");
        assertThat(page.url()).isEqualTo(consoleTestServer.url("/"));
        assertThat(page.getByText("Nothing is waiting for you.")).isVisible();

        Page another = windows.signedOut();
        another.navigate(link);
        assertThat(another.getByRole(AriaRole.ALERT)).containsText("This link was already used");
        another.navigate(consoleTestServer.url("/"));
        assertThat(heading(another)).containsText("Sign in");
    }

    @Test
    void aTokenSignsInAndSigningOutEndsIt() {
        Page page = windows.signedOut();
        page.navigate(consoleTestServer.url("/"));
        page.getByLabel("Your token").fill("alice-0123456789abcdeX");
        page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Sign in"))
                .click();
        assertThat(page.getByRole(AriaRole.ALERT)).containsText("unknown, expired or revoked");

        signedIn(page, "alice");
        assertThat(page.getByText("Signed in as Alice")).isVisible();
        assertThat(page.context().cookies()).singleElement().satisfies(cookie -> {
            assertThat(cookie.httpOnly).isTrue();
            assertThat(cookie.sameSite.name()).isEqualTo("STRICT");
            assertThat(cookie.value).doesNotContain(TestServer.SECRET);
        });
        page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Sign out"))
                .click();
        assertThat(heading(page)).containsText("Sign in");
        page.navigate(consoleTestServer.url("/"));
        assertThat(heading(page)).containsText("Sign in");
    }

    @Test
    void aProposalAppearsByItselfAndApprovedItRunsAndShowsItsAnswer() throws Exception {
        TestSocket files = consoleTestServer.join("files");
        Page page = windows.inboxOf("alice");
        assertThat(page).hasTitle("Inbox · Gavel");
        consoleTestServer.propose("p-1", "delete_file", PATH);

        Locator card = card(page, "delete_file");
        assertThat(card).containsText("helper");
        assertThat(card).containsText("ops");
        assertThat(card.locator(".arguments")).hasText(Pattern.compile("path\\s*\"notes.txt\""));
        assertThat(card).containsText("Waiting for you.");
        assertThat(card).containsText("Expires in 15 min");
        assertThat(card).containsText("Runs on files");
        assertThat(page).hasTitle("(1) Inbox · Gavel");

        BrowserWindows.approveCareful(card);
        JsonNode request =
                consoleTestServer.run(files, "delete_file", ConsoleTestServer.textResult("deleted <b>notes.txt</b>"));
        assertThat(request.path("from").asString()).isEqualTo("alice");
        assertThat(request.path("correlationId").asString()).isEqualTo("p-1");
        assertThat(request.path("payload").path("params").path("arguments").toString())
                .isEqualTo(PATH);
        assertThat(card).containsText("Approved by you, run by files. It succeeded.");
        assertThat(card.getByLabel("Result")).hasText("deleted <b>notes.txt</b>");
        assertThat(page).hasTitle("Inbox · Gavel");
    }

    @Test
    void aRefusalIsASentenceAndTheCardStays() throws Exception {
        consoleTestServer.joinWithTools("files", "[{\"name\":\"look\",\"annotations\":{\"readOnlyHint\":true}}]");
        consoleTestServer.propose("p-1", "look", PATH);
        Page page = windows.inboxOf("alice");
        Locator card = card(page, "look");
        card.locator("form.approve input[name=csrf]").evaluate("field => field.value = 'another'");
        button(card, "Approve").click();
        assertThat(page.locator("#news")).containsText("The form does not belong to your session");
        assertThat(button(card, "Approve")).isEnabled();
        assertThat(page.getByRole(AriaRole.ARTICLE)).hasCount(1);
        assertThat(page.getByRole(AriaRole.HEADING, new Page.GetByRoleOptions().setLevel(1)))
                .hasCount(1);
        assertThat(consoleTestServer.proposal("p-1").path("state").asString()).isEqualTo("open");
    }

    @Test
    void whileSomebodyLooksAtItTheProposerIsToldThatTheyAreThere() throws Exception {
        consoleTestServer.propose("p-1", "delete_file", PATH);
        Page page = windows.inboxOf("alice");
        assertThat(card(page, "delete_file")).containsText("Waiting for you.");
        assertThat(consoleTestServer
                        .proposal("p-1")
                        .path("guidance")
                        .path("status")
                        .asString())
                .contains("waiting for Alice (connected)");
    }

    @Test
    void aCallThatFailsSaysSo() throws Exception {
        TestSocket files = consoleTestServer.join("files");
        consoleTestServer.propose("p-1", "delete_file", PATH);
        Page page = windows.inboxOf("alice");
        BrowserWindows.approveCareful(card(page, "delete_file"));
        consoleTestServer.run(files, "delete_file", "\"error\":{\"code\":-32000,\"message\":\"disk full\"}");
        assertThat(card(page, "delete_file")).containsText("It failed.");
        assertThat(card(page, "delete_file").getByLabel("Result")).hasText("error -32000: disk full");
    }

    @Test
    void aRejectionReachesTheProposerWithItsReasonAndNeedsNobodyToRunAnything() throws Exception {
        consoleTestServer.propose("p-1", "delete_file", PATH);
        Page page = windows.inboxOf("alice");
        Locator card = card(page, "delete_file");
        assertThat(button(card, "Approve…")).isDisabled();
        assertThat(card).containsText("No connected participant can run this call.");
        openAndReject(card, "unsafe", "not without a backup");

        assertThat(card).containsText("Rejected by you: unsafe (not without a backup)");
        JsonNode proposal = consoleTestServer.proposal("p-1");
        assertThat(proposal.path("state").asString()).isEqualTo("rejected");
        assertThat(proposal.path("reasons").path(0).path("reason").asString()).isEqualTo("unsafe");
        assertThat(proposal.path("reasons").path(0).path("note").asString()).isEqualTo("not without a backup");
    }

    @Test
    void anAbstentionSaysThatTheProposalStaysOpen() throws Exception {
        consoleTestServer.propose("p-1", "delete_file", PATH);
        Page page = windows.inboxOf("alice");
        Locator card = card(page, "delete_file");
        openAndReject(card, "busy", "");
        assertThat(card).containsText("Not rejected: abstention recorded; the proposal stays open: it waits for Bob.");
        assertThat(consoleTestServer.proposal("p-1").path("state").asString()).isEqualTo("open");
    }

    @Test
    void aRejectionMayBeInOnesOwnWords() throws Exception {
        consoleTestServer.propose("p-1", "delete_file", PATH);
        Page page = windows.inboxOf("alice");
        Locator card = card(page, "delete_file");
        card.getByText("Reject…").click();
        choose(card, "other");
        card.getByLabel(Pattern.compile("Note")).fill("kept");
        button(card, "Reject").click();
        assertThat(card.getByRole(AriaRole.ALERT)).containsText("Choose a reason");
        assertThat(card.getByLabel(Pattern.compile("Note"))).hasValue("kept");
        choose(card, "other");
        card.getByLabel("Your reason").fill("it is Friday");
        button(card, "Reject").click();
        assertThat(card).containsText("Rejected by you: it is Friday (kept)");
    }

    @Test
    void whatIsBeingTypedStaysWhileNewsComeIn() throws Exception {
        consoleTestServer.propose("p-1", "delete_file", PATH);
        Page page = windows.inboxOf("alice");
        Locator card = card(page, "delete_file");
        card.getByText("Reject…").click();
        card.getByLabel(Pattern.compile("Note")).fill("half a sent");

        consoleTestServer.join("files");
        assertThat(card.locator("a[data-key=a]")).hasCount(1);
        consoleTestServer.sendEnvelope("bob", "s-1", "mcpx.status.proposal", "p-1", "{\"status\":\"considering\"}");
        assertThat(card).containsText("Status from Bob: considering");
        assertThat(card.getByLabel(Pattern.compile("Note"))).hasValue("half a sent");
    }

    @Test
    void whereSeveralCouldRunItOneIsChosen() throws Exception {
        consoleTestServer.join("files");
        TestSocket search = consoleTestServer.join("search");
        consoleTestServer.propose("p-1", "find", PATH);
        Page page = windows.inboxOf("alice");
        Locator card = card(page, "find");
        card.getByText("Approve…").click();
        card.getByLabel("Run on").selectOption("search");
        button(card, "Yes, run find").click();
        consoleTestServer.run(search, "find", ConsoleTestServer.textResult("found"));
        assertThat(card).containsText("Approved by you, run by search. It succeeded.");
    }

    @Test
    void whatSomebodyElseDecidedSaysSoAndGoes() throws Exception {
        consoleTestServer.propose("p-1", "delete_file", PATH);
        consoleTestServer.propose("p-2", "send_mail", PATH);
        consoleTestServer.propose("p-3", "format_disk", PATH);
        Page alice = windows.inboxOf("alice");
        Page bob = windows.inboxOf("bob");
        assertThat(alice.getByRole(AriaRole.ARTICLE)).hasCount(3);

        openAndReject(card(bob, "delete_file"), "policy", "");
        assertThat(card(alice, "delete_file")).containsText("Rejected by Bob: policy");
        consoleTestServer.sendEnvelope(
                "helper", "w-1", "mcpx.withdraw.proposal", "p-2", "{\"reason\":\"changed my mind\"}");
        assertThat(card(alice, "send_mail")).containsText("Withdrawn by helper: changed my mind");
        assertThat(alice).hasTitle("(1) Inbox · Gavel");
        assertThat(card(alice, "delete_file")).hasCount(0);
        assertThat(card(alice, "send_mail")).hasCount(0);
        assertThat(card(alice, "format_disk")).hasCount(1);
    }

    @Test
    void theOldestIsFirstAndOnlyTopicsOfOnesOwnAreThere() throws Exception {
        consoleTestServer.propose("p-1", "first", PATH);
        consoleTestServer.proposeIn("quiet", "p-2", "second", PATH);
        consoleTestServer.propose("p-3", "third", PATH);
        Locator bobs = windows.inboxOf("bob").getByRole(AriaRole.ARTICLE).getByRole(AriaRole.HEADING);
        assertThat(bobs).hasText(new String[] {"first", "second", "third"});
        Locator alices = windows.inboxOf("alice").getByRole(AriaRole.ARTICLE).getByRole(AriaRole.HEADING);
        assertThat(alices).hasText(new String[] {"first", "third"});
    }

    @Test
    void whatAnAgentWritesIsShownAsTextWhateverItIs() throws Exception {
        String evil = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>\u202e";
        Page page = windows.inboxOf("alice");
        List<String> violations = new ArrayList<>();
        page.onConsoleMessage(message -> violations.add(message.text()));
        consoleTestServer.propose(
                "p-1", "delete_file", "{\"path\":" + ConsoleTestServer.JSON.writeValueAsString(evil) + "}");
        assertThat(card(page, "delete_file").locator(".arguments"))
                .containsText("<img src=x onerror=\\\"document.title='owned'\\\"><script>");
        assertThat(card(page, "delete_file").locator(".arguments")).containsText("</script>\\u202e");
        assertThat(page).hasTitle("(1) Inbox · Gavel");
        page.reload();
        assertThat(card(page, "delete_file").locator(".arguments")).containsText("</script>\\u202e");
        assertThat(page).hasTitle("(1) Inbox · Gavel");
        assertThat(violations).isEmpty();
    }

    @Test
    void whatIsLongIsReadInFullBeforeItIsApproved() throws Exception {
        TestSocket files = consoleTestServer.join("files");
        consoleTestServer.propose("p-1", "write", "{\"text\":\"" + "x".repeat(30_000) + "the end\"}");
        Page page = windows.inboxOf("alice");
        assertThat(card(page, "write").locator("[data-key=a]")).hasCount(0);
        assertThat(card(page, "write")).containsText("Only 6,001 of 30,007 characters are shown.");
        page.getByText("View all arguments").click();
        assertThat(card(page, "write").locator(".arguments")).containsText("the end");
        BrowserWindows.approveCareful(card(page, "write"));
        consoleTestServer.run(files, "write", ConsoleTestServer.textResult("written"));
        assertThat(card(page, "write")).containsText("It succeeded.");
        assertThat(card(page, "write").locator(".arguments")).containsText("the end");
    }

    @Test
    void aSessionAndItsOpenPageEndWithTheToken() throws Exception {
        Page page = windows.inboxOf("bob");
        assertThat(consoleTestServer.call("DELETE", "alice", "/tokens/bob", "").statusCode())
                .isBetween(200, 299);
        assertThat(heading(page)).containsText("Sign in");
        page.navigate(consoleTestServer.url("/"));
        assertThat(heading(page)).containsText("Sign in");
    }

    @Test
    void aPageGoesOnAfterTheServerWasStartedAnew() throws Exception {
        Page page = windows.inboxOf("alice");
        consoleTestServer.propose("p-1", "first", PATH);
        assertThat(card(page, "first")).isVisible();
        consoleTestServer.stop();
        assertThat(page.getByText("Not connected. This page might be out of date."))
                .isVisible();
        consoleTestServer.start();
        assertThat(page.getByText("Not connected. This page might be out of date."))
                .isHidden();
        consoleTestServer.propose("p-2", "second", PATH);
        assertThat(card(page, "second")).isVisible();
        assertThat(card(page, "first")).isVisible();
    }

    @Test
    void withoutScriptsItWorksByPlainForms() throws Exception {
        TestSocket files = consoleTestServer.join("files");
        consoleTestServer.propose("p-1", "delete_file", PATH);
        consoleTestServer.propose("p-2", "send_mail", PATH);
        Page page = windows.signedOutWithoutScripts();
        page.navigate(consoleTestServer.signInLink("alice"));
        page.getByRole(AriaRole.BUTTON).click();
        assertThat(heading(page)).containsText("Waiting for you");

        card(page, "delete_file").getByText("Approve…").click();
        assertThat(page.locator("main")).containsText("No connected participant lists this tool");
        button(page, "Yes, run delete_file on files").click();
        assertThat(card(page, "delete_file")).containsText("Approved by you, run by files.");
        consoleTestServer.run(files, "delete_file", ConsoleTestServer.textResult("deleted"));
        assertThat(card(page, "delete_file").getByLabel("Result")).hasText("deleted");

        page.getByText("← Inbox").click();
        assertThat(page.getByRole(AriaRole.ARTICLE)).hasCount(1);
        card(page, "send_mail").getByText("Reject…").click();
        reject(page.locator("main"), "duplicate", "");
        assertThat(card(page, "send_mail")).containsText("Rejected by you: duplicate");
        assertThat(consoleTestServer.proposal("p-2").path("state").asString()).isEqualTo("rejected");
    }
}
