package dev.gavel.app.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.gavel.app.console.BrowserWindows.button;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests that what a person types into the forms of a SEP and of a topic is not lost. */
class SepDraftTest extends SepBrowserTest {
    private static Locator comment(Page page) {
        return page.locator("#sep-say textarea");
    }

    private static void assertNoDrafts(Page page) {
        assertThat((String) page.evaluate(
                        "() => Object.keys(sessionStorage).filter((each) => each.startsWith('gavel-draft')).join()"))
                .isEmpty();
    }

    @Test
    void aCommentSurvivesAReloadAndIsGoneWhenItWasSent() throws Exception {
        int number = seps.submit("Paging");
        Page carol = windows.go(windows.signedInAs("carol"), "/console/seps/" + number);
        comment(carol).fill("half a sent");
        carol.reload();
        assertThat(comment(carol)).hasValue("half a sent");
        assertThat(carol.locator("#sep-say")).containsText("Your draft was restored.");
        comment(carol).fill("We do.");
        button(carol, "Comment").click();
        assertThat(carol.locator("#did")).hasText("Your comment was added.");
        assertThat(comment(carol)).hasValue("");
        assertNoDrafts(carol);
    }

    @Test
    void evidenceSurvivesAReloadEscapeAsksAndItIsGoneWhenItWasSent() throws Exception {
        int number = seps.submit("Paging");
        Page carol = windows.go(windows.signedInAs("carol"), "/console/seps/" + number);
        Locator slot = carol.locator("#sep-act");
        slot.getByText("More").click();
        slot.locator("a[href$='/act/attach']").click();
        Locator value = slot.getByLabel("Link or text");
        slot.getByLabel("Kind of evidence").selectOption("prototype");
        value.fill("https://example.org/half");
        carol.reload();
        assertThat(value).hasValue("https://example.org/half");
        assertThat(slot.locator("select")).hasValue("prototype");
        value.focus();
        carol.keyboard().press("Escape");
        assertThat(carol.getByRole(AriaRole.DIALOG)).containsText("Discard what you typed?");
        carol.keyboard().press("Escape");
        assertThat(value).hasValue("https://example.org/half");
        value.fill("https://example.org/whole");
        slot.locator(".act-do").click();
        assertThat(carol.locator("#did")).isVisible();
        assertNoDrafts(carol);
        assertThat(slot.locator("form")).hasCount(0);
    }

    @Test
    void whatWasTypedIntoAFormThatIsGoneIsStillShown() throws Exception {
        int number = seps.submit("Paging");
        Page bob = windows.go(windows.signedInAs("bob"), "/console/seps/" + number);
        Locator slot = bob.locator("#sep-act");
        comment(bob).fill("a comment");
        slot.locator("a[href$='/act/ask']").evaluate("link => link.click()");
        Locator reason = slot.locator("form.act textarea");
        reason.fill("out of scope");
        seps.act("carol", number, "withdraw", Map.of("reason", "no longer needed"));
        assertThat(bob.locator("#sep-head")).containsText("withdrawn");
        assertThat(reason).hasValue("out of scope");
        bob.reload();
        assertThat(bob.locator(".kept textarea").first()).hasValue("out of scope");
        bob.locator(".kept").first().getByText("Discard").click();
        assertThat(bob.locator(".kept")).hasCount(0);
    }

    @Test
    void aChatMessageSurvivesAReloadAndWhatIsTypedWhileOneIsSentStays() throws Exception {
        Page alice = windows.go(windows.signedInAs("alice"), "/console/topics/ops");
        Locator text = alice.locator("#chat textarea");
        text.fill("half a sent");
        alice.reload();
        assertThat(text).hasValue("half a sent");
        text.fill("hello all");
        alice.route("**/chat", route -> {
            text.pressSequentially(", and");
            route.resume();
        });
        alice.locator("#chat").evaluate("form => form.requestSubmit()");
        assertThat(alice.locator("#rows")).containsText("hello all");
        assertThat(text).hasValue("hello all, and");
        alice.unroute("**/chat");
        text.fill("and more");
        alice.keyboard().press("Enter");
        assertThat(alice.locator("#rows")).containsText("and more");
        assertThat(text).hasValue("");
        assertNoDrafts(alice);
    }
}
