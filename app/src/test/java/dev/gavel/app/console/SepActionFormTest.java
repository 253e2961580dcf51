package dev.gavel.app.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the action forms that open in a SEP's page. */
class SepActionFormTest extends SepBrowserTest {
    private static Locator slot(Page page) {
        return page.getByRole(AriaRole.REGION, new Page.GetByRoleOptions().setName("What you can do"));
    }

    private static Locator comments(Page page) {
        return page.getByRole(AriaRole.REGION, new Page.GetByRoleOptions().setName(Pattern.compile("^Comments")));
    }

    private static Locator offer(Page page, String name) {
        return slot(page)
                .getByRole(
                        AriaRole.LINK,
                        new Locator.GetByRoleOptions().setName(name).setExact(true));
    }

    @Test
    void aFormOpensInItsPlaceAndThePageShowsWhatCameOfIt() throws Exception {
        int number = seps.submit("Paging");
        Page bob = windows.go(windows.signedInAs("bob"), "/console/seps/" + number);
        offer(bob, "Sponsor this SEP…").click();
        BrowserWindows.button(slot(bob), "Sponsor this SEP").click();
        assertThat(offer(bob, "Move to provisional…")).isVisible();
        assertThat(slot(bob)).containsText("Missing: a link to the high-level review that accepted the goals");

        seps.agreeOnGoals(number);
        offer(bob, "Move to provisional…").click();
        BrowserWindows.button(slot(bob), "Move to provisional").click();
        offer(bob, "Move to prototyping…").click();
        Locator prototype = slot(bob).getByLabel("A link to working code");
        assertThat(prototype).isFocused();
        assertThat(bob.url()).endsWith("/console/seps/" + number);
        prototype.fill("the wiki");
        BrowserWindows.button(slot(bob), "Move to prototyping").click();
        assertThat(slot(bob).getByRole(AriaRole.ALERT)).containsText("'the wiki' is not valid for 'prototype'");
        assertThat(slot(bob).getByRole(AriaRole.ALERT)).isFocused();
        assertThat(prototype).hasValue("the wiki");
        prototype.fill("https://example.org/code");
        BrowserWindows.button(slot(bob), "Move to prototyping").click();
        assertThat(bob.locator("#sep-head .badge")).hasText("prototyping");
        assertThat(seps.show(number).path("status").asString()).isEqualTo("prototyping");
    }

    @Test
    void escapeAndCancelCloseAFormWhereItWasOpened() throws Exception {
        int number = seps.submit("Paging");
        seps.moveToReview(number);
        Page alice = windows.go(windows.signedInAs("alice"), "/console/seps/" + number);
        offer(alice, "Vote…").click();
        assertThat(BrowserWindows.button(slot(alice), "Vote")).isVisible();
        alice.keyboard().press("Escape");
        assertThat(BrowserWindows.button(slot(alice), "Vote")).hasCount(0);
        assertThat(offer(alice, "Vote…")).isFocused();
        offer(alice, "Vote…").click();
        offer(alice, "Cancel").click();
        assertThat(BrowserWindows.button(slot(alice), "Vote")).hasCount(0);
        assertThat(offer(alice, "Vote…")).isFocused();
    }

    @Test
    void aCommentIsWrittenRightThereAndStaysWhileOthersAct() throws Exception {
        int number = seps.submit("Paging");
        Page carol = windows.go(windows.signedInAs("carol"), "/console/seps/" + number);
        comments(carol).getByLabel("Comment").fill("half a sent");
        seps.act("bob", number, "comment", Map.of("text", "Who needs this?"));
        assertThat(carol.getByText("Who needs this?").first()).isVisible();
        assertThat(comments(carol).getByLabel("Comment")).hasValue("half a sent");
        comments(carol).getByLabel("Comment").fill("We do.");
        BrowserWindows.button(comments(carol), "Comment").click();
        assertThat(carol.getByText("We do.").first()).isVisible();
        assertThat(carol.getByRole(AriaRole.STATUS).and(carol.locator("#did"))).hasText("Your comment was added.");
        assertThat(comments(carol).getByLabel("Comment")).hasValue("");
    }

    @Test
    void withoutScriptsTheSameLinksLeadToPages() throws Exception {
        int number = seps.submit("Paging");
        Page carol = windows.go(windows.withoutScripts("carol"), "/console/seps/" + number);
        slot(carol).getByText("More").click();
        offer(carol, "Withdraw this SEP…").click();
        assertThat(BrowserWindows.heading(carol)).hasText("Withdraw this SEP");
        carol.getByLabel("Reason").fill("no longer needed");
        BrowserWindows.button(carol, "Withdraw this SEP").click();
        carol.waitForURL(consoleTestServer.url("/console/seps/" + number + "?did=withdraw"));
        assertThat(carol.getByText("You withdrew this SEP.")).isVisible();
        assertThat(seps.show(number).path("status").asString()).isEqualTo("withdrawn");
        assertThat(slot(carol)).containsText("No action is required from you");
    }

    @ParameterizedTest
    @EnumSource(
            value = ColorScheme.class,
            names = {"LIGHT", "DARK"})
    void itIsForEverybodyAndFitsAPhone(ColorScheme theme) throws Exception {
        int number = seps.submit("Paging");
        seps.moveToReview(number);
        Page alice = windows.go(windows.signedInAs("alice", 390, theme), "/console/seps/" + number);
        slot(alice).getByText("More").click();
        offer(alice, "Move to deferred…").click();
        assertThat(slot(alice).getByLabel("A reason")).isFocused();
        AccessibilityCheck.assertNoProblems(alice);
        BrowserWindows.assertFitsWindow(alice);
    }
}
