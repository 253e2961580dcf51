package dev.gavel.app.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.gavel.app.console.BrowserWindows.button;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.BoundingBox;
import dev.gavel.app.TestSocket;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Tests that a reviewer sees a call as it is, approves a dangerous one in two steps, and loses no typed text. */
class InboxCareTest extends BrowserTest {
    private static final String PATH = "{\"path\":\"notes.txt\"}";
    private static final String TOOLS = """
            [{"name":"wipe","annotations":{"destructiveHint":true}},
             {"name":"bare","description":"Says nothing about itself."},
             {"name":"add","annotations":{"destructiveHint":false}},
             {"name":"look","annotations":{"readOnlyHint":true}}]
            """;

    private static Locator card(Page page, String what) {
        return page.getByRole(AriaRole.ARTICLE)
                .filter(new Locator.FilterOptions()
                        .setHas(page.getByText(what, new Page.GetByTextOptions().setExact(true))));
    }

    private static Locator note(Locator card) {
        return card.getByLabel(Pattern.compile("^Note"));
    }

    private static Locator editor(Locator card) {
        return card.getByLabel(Pattern.compile("Edited arguments"));
    }

    private String state(String id) throws Exception {
        return consoleTestServer.proposal(id).path("state").asString();
    }

    @Test
    void hiddenCharactersAreMarkedAndCountedAndMetadataIsFolded() throws Exception {
        consoleTestServer.joinWithTools("files", TOOLS);
        consoleTestServer
                .join("helper")
                .send(
                        "{\"protocol\":\"mcpx/v0.1\",\"id\":\"p-1\",\"kind\":\"mcp.proposal.tools/call:look\",\"payload\":{"
                                + "\"method\":\"tools/call\",\"params\":{\"name\":\"look\",\"arguments\":{"
                                + "\"a\":\"hello\\u200b\\u2060 world\",\"b\":\"\\u0072m\"},\"_meta\":{\"client/id\":\"7\"}}}}");
        Page page = windows.inboxOf("alice");
        Locator card = card(page, "look");
        assertThat(card.locator(".escape")).hasText(new String[] {"\\u200b", "\\u2060"});
        assertThat(card.locator(".warnings").first()).containsText("a contains 2 hidden characters or unusual spaces");
        assertThat(card.locator(".arguments").first()).containsText("\"rm\"");
        assertThat(card.getByText("client/id")).isHidden();
        card.getByText("Metadata from the client").click();
        assertThat(card.locator(".metadata")).containsText("1 field, 17 characters");
        assertThat(card.getByText("client/id")).isVisible();
        // In the editor, where a page cannot mark them, they are JSON escapes.
        card.getByText("Edit…").click();
        assertThat(editor(card)).hasValue(Pattern.compile("hello\\\\u200b\\\\u2060 world"));
    }

    @Test
    void onlyACallThatNeedsCareIsConfirmed() throws Exception {
        TestSocket files = consoleTestServer.joinWithTools("files", TOOLS);
        consoleTestServer.propose("p-1", "wipe", PATH);
        consoleTestServer.propose("p-2", "bare", PATH);
        consoleTestServer.propose("p-3", "add", PATH);
        Page page = windows.inboxOf("alice");
        assertThat(card(page, "wipe")).containsText("files says that this tool can delete or overwrite data.");
        assertThat(card(page, "bare")).containsText("files does not say what this tool can do");
        assertThat(card(page, "add")).containsText("files claims that this tool makes changes");
        assertThat(card(page, "bare").getByText("Approve…")).isVisible();

        button(card(page, "add"), "Approve").click();
        consoleTestServer.run(files, "add", ConsoleTestServer.textResult("added"));

        Locator wipe = card(page, "wipe");
        // The second click of a double click does nothing.
        wipe.getByText("Approve…").dblclick();
        assertThat(wipe.locator("form.confirm"))
                .containsText("Run wipe on files? files says that this tool can delete or overwrite data.");
        assertThat(state("p-1")).isEqualTo("open");
        wipe.getByText("Cancel").click();
        assertThat(wipe.locator("form.confirm")).hasCount(0);
        wipe.getByText("Approve…").click();
        button(wipe, "Yes, run wipe on files").click();
        consoleTestServer.run(files, "wipe", ConsoleTestServer.textResult("wiped"));
        assertThat(wipe).containsText("It succeeded.");
    }

    @Test
    void aFormThatWasRenderedBeforeTheCallNeededCareIsNotEnough() throws Exception {
        TestSocket files = consoleTestServer.joinWithTools("files", TOOLS);
        consoleTestServer.propose("p-1", "wipe", PATH);
        Page page = windows.inboxOf("alice");
        Locator card = card(page, "wipe");
        card.getByText("Approve…").click();
        card.locator("form.confirm input[name=confirm]").evaluate("field => field.remove()");
        card.locator("form.confirm button").click();
        assertThat(card.locator("form.confirm input[name=confirm]")).hasCount(1);
        assertThat(state("p-1")).isEqualTo("open");
        assertThat(files.status()).isEqualTo(101);
    }

    @Test
    void anEndedCardKeepsItsPlaceWhileTheReviewerPointsAtTheList() throws Exception {
        consoleTestServer.propose("p-1", "first", PATH);
        consoleTestServer.propose("p-2", "second", PATH);
        Page page = inboxWithClock();
        card(page, "second").locator("header").hover();
        double top = card(page, "second").boundingBox().y;
        consoleTestServer.sendEnvelope("helper", "w-1", "mcpx.withdraw.proposal", "p-1", "{}");
        assertThat(card(page, "first")).containsText("Withdrawn by helper");
        page.clock().runFor(60_000);
        assertThat(card(page, "first")).hasCount(1);
        assertThat(card(page, "second").boundingBox().y)
                .as("the next card does not move")
                .isCloseTo(top, within(1.0));
        page.mouse().move(1, 1);
        page.clock().runFor(1_000);
        assertThat(card(page, "first")).hasCount(0);
    }

    /** Opens alice's inbox in a window whose time the test moves on. */
    private Page inboxWithClock() {
        return inboxWithClock(windows.signedInAs("alice"));
    }

    private Page inboxWithClock(Page page) {
        page.clock().install();
        windows.go(page, "/");
        assertThat(page.locator("#inbox")).isAttached();
        return page;
    }

    /** Stops the time of a page, and with it the time after which a control takes clicks again. */
    private static void stopTime(Page page) {
        page.clock().pauseAt(System.currentTimeMillis() + 60_000);
    }

    private static void letHalfASecondPass(Page page) {
        page.clock().runFor(600);
        page.clock().resume();
    }

    /** Clicks where an element is, whether or not it takes clicks. */
    private static void clickAt(Page page, Locator element) {
        BoundingBox box = element.boundingBox();
        page.mouse().click(box.x + box.width / 2, box.y + box.height / 2);
    }

    @Test
    void aCardThatHasJustMovedIgnoresAClickAndSaysSo() throws Exception {
        TestSocket files = consoleTestServer.joinWithTools("files", TOOLS);
        consoleTestServer.propose("p-1", "look", PATH);
        Page page = inboxWithClock();
        Locator approve = button(card(page, "look"), "Approve");
        approve.hover();
        page.clock().pauseAt(System.currentTimeMillis() + 60_000);
        // A card above moves this one, and the click follows in the same moment.
        page.evaluate(
                "() => { const card = document.querySelector('#inbox article');"
                        + " const other = document.createElement('article'); other.style.height = '4px'; card.before(other); }");
        assertThat(approve).hasAttribute("data-moved", "yes");
        page.mouse().down();
        page.mouse().up();
        assertThat(page.locator("#hint")).containsText("your click was ignored");
        assertThat(state("p-1")).isEqualTo("open");
        // Half a second later, it takes clicks again.
        page.clock().runFor(600);
        page.clock().resume();
        approve.click();
        consoleTestServer.run(files, "look", ConsoleTestServer.textResult("seen"));
        assertThat(card(page, "look")).containsText("It succeeded.");
    }

    @Test
    void aButtonThatMovedWithinItsCardIgnoresAClick() throws Exception {
        consoleTestServer.joinWithTools("files", TOOLS);
        consoleTestServer.propose("p-1", "look", PATH);
        Page page = inboxWithClock();
        Locator approve = button(card(page, "look"), "Approve");
        assertThat(approve).isEnabled();
        stopTime(page);
        consoleTestServer.sendEnvelope("bob", "s-1", "mcpx.status.proposal", "p-1", "{\"status\":\"considering\"}");
        assertThat(card(page, "look")).containsText("Status from Bob: considering");
        assertThat(approve).hasAttribute("data-moved", "yes");
        clickAt(page, approve);
        assertThat(page.locator("#hint")).containsText("your click was ignored");
        assertThat(state("p-1")).isEqualTo("open");
        letHalfASecondPass(page);
        approve.click();
        assertThat(card(page, "look")).containsText("Approved by you");
    }

    @Test
    void theButtonThatConfirmsIgnoresATapJustAfterItAppeared() throws Exception {
        consoleTestServer.joinWithTools("files", TOOLS);
        consoleTestServer.propose("p-1", "wipe", PATH);
        Page page = inboxWithClock(windows.signedInWithTouch("alice"));
        Locator card = card(page, "wipe");
        assertThat(card.getByText("Approve…")).isVisible();
        stopTime(page);
        card.getByText("Approve…").tap();
        Locator confirm = card.locator("form.confirm button");
        assertThat(confirm).hasAttribute("data-moved", "yes");
        confirm.scrollIntoViewIfNeeded();
        BoundingBox box = confirm.boundingBox();
        page.touchscreen().tap(box.x + box.width / 2, box.y + box.height / 2);
        assertThat(page.locator("#hint")).containsText("your click was ignored");
        assertThat(state("p-1")).isEqualTo("open");
        letHalfASecondPass(page);
        confirm.tap();
        assertThat(card).containsText("Approved by you");
    }

    @Test
    void aKeyOnAButtonThatALiveUpdateReplacedIsIgnored() throws Exception {
        TestSocket files = consoleTestServer.joinWithTools("files", TOOLS);
        consoleTestServer.propose("p-1", "look", PATH);
        Page page = inboxWithClock();
        Locator card = card(page, "look");
        button(card, "Approve").focus();
        stopTime(page);
        consoleTestServer.announceTools(files, "changed", "[{\"name\":\"look\"}]");
        assertThat(card).hasAttribute("data-renewed", "yes");
        assertThat(card.getByText("Approve…")).isFocused();
        page.keyboard().press("Enter");
        assertThat(page.locator("#hint")).containsText("your key was ignored");
        page.keyboard().press("a");
        assertThat(card.locator("form.confirm")).hasCount(0);
        assertThat(state("p-1")).isEqualTo("open");
        letHalfASecondPass(page);
        page.keyboard().press("Enter");
        assertThat(card.locator("form.confirm")).isVisible();
    }

    @Test
    void typedTextSurvivesTheDecisionOfAnotherPerson() throws Exception {
        consoleTestServer.propose("p-1", "look", PATH);
        Page page = windows.inboxOf("alice");
        Locator card = card(page, "look");
        card.getByText("Reject…").click();
        note(card).fill("because of the audit");
        consoleTestServer.sendEnvelope("bob", "r-1", "mcpx.reject.proposal", "p-1", "{\"reason\":\"unsafe\"}");
        assertThat(card).containsText("Rejected by Bob: unsafe");
        assertThat(card.locator(".kept textarea")).hasValue("because of the audit");
        page.reload();
        assertThat(page.locator(".kept")).containsText("look");
        assertThat(page.locator(".kept textarea")).hasValue("because of the audit");
        button(page, "Discard").click();
        page.reload();
        assertThat(page.locator("#inbox")).isAttached();
        assertThat(page.locator(".kept")).hasCount(0);
    }

    @Test
    void typedTextSurvivesAReloadAndEscapeAsks() throws Exception {
        consoleTestServer.joinWithTools("files", TOOLS);
        consoleTestServer.propose("p-1", "look", PATH);
        consoleTestServer.propose("p-2", "add", PATH);
        Page page = windows.inboxOf("alice");
        card(page, "look").getByText("Edit…").click();
        editor(card(page, "look")).fill("{\"path\": \"other.txt\"}");
        card(page, "add").getByText("Reject…").click();
        card(page, "add")
                .getByRole(AriaRole.RADIO, new Locator.GetByRoleOptions().setName("policy"))
                .check();
        note(card(page, "add")).fill("half a sent");
        page.reload();
        assertThat(editor(card(page, "look"))).hasValue("{\"path\": \"other.txt\"}");
        assertThat(card(page, "look")).containsText("Your draft was restored.");
        assertThat(note(card(page, "add"))).hasValue("half a sent");
        assertThat(card(page, "add").getByRole(AriaRole.RADIO, new Locator.GetByRoleOptions().setName("policy")))
                .isChecked();

        editor(card(page, "look")).focus();
        page.keyboard().press("Escape");
        assertThat(page.getByRole(AriaRole.DIALOG)).containsText("Discard what you typed?");
        page.keyboard().press("Escape");
        assertThat(editor(card(page, "look"))).hasValue("{\"path\": \"other.txt\"}");
        page.keyboard().press("Escape");
        button(page, "Discard").click();
        assertThat(editor(card(page, "look"))).hasCount(0);
        page.reload();
        assertThat(note(card(page, "add"))).hasValue("half a sent");
        assertThat(editor(card(page, "look"))).hasCount(0);
    }

    @Test
    void signingOutDeletesDrafts() throws Exception {
        consoleTestServer.propose("p-1", "look", PATH);
        Page page = windows.inboxOf("alice");
        card(page, "look").getByText("Reject…").click();
        note(card(page, "look")).fill("secret");
        assertThat(page.evaluate("() => JSON.stringify({...sessionStorage})"))
                .asString()
                .contains("secret");
        button(page, "Sign out").click();
        assertThat(BrowserWindows.heading(page)).containsText("Sign in");
        assertThat(page.evaluate("() => JSON.stringify({...sessionStorage})"))
                .asString()
                .doesNotContain("secret");
    }

    @Test
    void aRejectionThatIsRefusedKeepsItsText() throws Exception {
        consoleTestServer.propose("p-1", "look", PATH);
        Page page = windows.inboxOf("alice");
        Locator card = card(page, "look");
        card.getByText("Reject…").click();
        note(card).fill("kept");
        card.locator("form.reject").evaluate("form => { form.noValidate = true; }");
        button(card, "Reject").click();
        assertThat(card.getByRole(AriaRole.ALERT)).containsText("Choose a reason");
        assertThat(note(card)).hasValue("kept");
    }
}
