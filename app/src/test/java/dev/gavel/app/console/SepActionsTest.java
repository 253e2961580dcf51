package dev.gavel.app.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import java.io.IOException;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the forms by which people act on a SEP. */
class SepActionsTest extends SepBrowserTest {
    private static Locator alert(Page page) {
        return page.getByRole(AriaRole.ALERT);
    }

    private void atSep(Page page, int number) {
        page.waitForURL(Pattern.compile(".*/console/seps/" + number + "([?]did=[a-z-]+)?$"));
        assertThat(page.getByRole(AriaRole.STATUS).and(page.locator("#did"))).containsText("You");
    }

    private String status(int number) throws IOException, InterruptedException {
        return seps.show(number).path("status").asString();
    }

    @Test
    void aMaintainerSponsorsItAndMovesItWithEvidence() throws Exception {
        int number = seps.submit("Paging");
        Page bob = windows.go(windows.signedInAs("bob"), "/console/seps/" + number + "/act/sponsor");
        assertThat(bob.getByText("You become the sponsor of this SEP, and the SEP moves to draft"))
                .isVisible();
        BrowserWindows.button(bob, "Sponsor this SEP").click();
        atSep(bob, number);
        assertThat(status(number)).isEqualTo("draft");
        assertThat(seps.show(number).path("sponsor").asString()).isEqualTo("bob");

        seps.agreeOnGoals(number);
        seps.act("bob", number, "move", Map.of("to", "provisional"));

        windows.go(bob, "/console/seps/" + number + "/act/move?to=prototyping");
        Locator prototype = bob.getByLabel("A link to working code", exact());
        prototype.fill("the wiki");
        BrowserWindows.button(bob, "Move to prototyping").click();
        assertThat(alert(bob)).containsText("'the wiki' is not valid for 'prototype'");
        assertThat(prototype).hasValue("the wiki");
        assertThat(prototype).hasAttribute("aria-invalid", "true");
        assertThat(bob.getByText(Pattern.compile("^Expected: .*\\.$"))).isVisible();
        assertThat(status(number)).isEqualTo("provisional");

        prototype.fill("https://example.org/code");
        BrowserWindows.button(bob, "Move to prototyping").click();
        atSep(bob, number);
        assertThat(status(number)).isEqualTo("prototyping");
        assertThat(seps.show(number).path("evidence").toString()).contains("https://example.org/code");
    }

    private static Page.GetByLabelOptions exact() {
        return new Page.GetByLabelOptions().setExact(true);
    }

    @Test
    void whatIsMissingIsSaidAndWhatWasTypedStays() throws Exception {
        int number = seps.submit("Paging");
        seps.moveToReview(number);
        seps.attach("dana", number, "decision", "deferred: not before the summer");
        seps.act("alice", number, "confirm", Map.of("kind", "decision"));
        Page alice = windows.go(windows.signedInAs("alice"), "/console/seps/" + number + "/act/move?to=deferred");
        alice.getByLabel("A reason for the move", exact()).fill("not before\nthe summer");
        BrowserWindows.button(alice, "Move to deferred").click();
        assertThat(alert(alice)).containsText("Cannot move to `deferred`");
        assertThat(alice.getByLabel("A reason for the move", exact())).hasValue("not before\nthe summer");
        alice.getByLabel("The date to revisit the SEP", exact()).fill("2027-06-01");
        BrowserWindows.button(alice, "Move to deferred").click();
        atSep(alice, number);
        assertThat(status(number)).isEqualTo("deferred");
    }

    @Test
    void whoMayNotIsToldWhoMay() throws Exception {
        int number = seps.submit("Paging");
        Page carol = windows.go(windows.signedInAs("carol"), "/console/seps/" + number + "/act/move?to=rejected");
        assertThat(carol.getByText(Pattern.compile("^Only .* can move this SEP to rejected\\.")))
                .isVisible();
        assertThat(carol.locator("form.act button")).hasCount(0);
        windows.go(carol, "/console/seps/" + number + "/act/sponsor");
        BrowserWindows.button(carol, "Sponsor this SEP").click();
        assertThat(alert(carol)).containsText("Only");
        windows.go(carol, "/console/seps/99/act/comment");
        assertThat(BrowserWindows.heading(carol)).containsText("Not found");
        windows.go(carol, "/console/seps/" + number + "/act/sweep");
        assertThat(BrowserWindows.heading(carol)).containsText("Not found");
    }

    @Test
    void theyVoteAndAConcernSaysWhy() throws Exception {
        int number = seps.submit("Paging");
        seps.moveToReview(number);
        Page alice = windows.go(windows.signedInAs("alice"), "/console/seps/" + number + "/act/vote");
        alice.getByRole(AriaRole.RADIO, new Page.GetByRoleOptions().setName("Concern"))
                .check();
        BrowserWindows.button(alice, "Vote").click();
        assertThat(alert(alice)).containsText("Give a reason for the concern");
        assertThat(alice.getByRole(AriaRole.RADIO, new Page.GetByRoleOptions().setName("Concern")))
                .isChecked();
        alice.getByLabel("Reason").fill("it leaks");
        BrowserWindows.button(alice, "Vote").click();
        atSep(alice, number);
        assertThat(alice.locator("#did")).hasText("You raised a concern.");
        assertThat(alice.locator("#did")).isFocused();
        assertThat(alice).hasURL(consoleTestServer.url("/console/seps/" + number));
        assertThat(seps.show(number)
                        .path("tally")
                        .path("votes")
                        .path(0)
                        .path("ballot")
                        .asString())
                .isEqualTo("concern");
    }

    @Test
    void everythingElseHasAFormToo() throws Exception {
        int number = seps.submit("Paging");
        Page carol = windows.inboxOf("carol");
        String acts = "/console/seps/" + number + "/act/";
        windows.go(carol, acts + "comment");
        carol.getByLabel("Your comment").fill("<b>Who</b> needs this?\nWe do.");
        BrowserWindows.button(carol, "Comment").click();
        atSep(carol, number);
        assertThat(seps.show(number).path("comments").path(0).path("text").asString())
                .isEqualTo("<b>Who</b> needs this?\nWe do.");

        windows.go(carol, acts + "ask");
        carol.getByLabel("Person to ask").fill("bop");
        BrowserWindows.button(carol, "Ask for input").click();
        assertThat(alert(carol)).containsText("There is no person 'bop'");
        carol.getByLabel("Person to ask").fill("bob");
        BrowserWindows.button(carol, "Ask for input").click();
        atSep(carol, number);

        windows.go(carol, acts + "attach");
        carol.getByLabel("Kind of evidence").selectOption("prototype");
        carol.getByLabel("Link or text").fill("https://example.org/code");
        BrowserWindows.button(carol, "Attach evidence").click();
        atSep(carol, number);
        assertThat(seps.show(number).path("evidence").toString()).contains("https://example.org/code");

        windows.go(carol, acts + "transfer");
        carol.getByLabel("New author").fill("alice");
        BrowserWindows.button(carol, "Transfer authorship").click();
        atSep(carol, number);
        assertThat(seps.show(number).path("authors").toString()).contains("alice", "carol");

        windows.go(carol, acts + "withdraw");
        BrowserWindows.button(carol, "Withdraw this SEP").click();
        assertThat(alert(carol)).containsText("Fill in the required fields: Reason.");
        carol.getByLabel("Reason").fill("superseded by events");
        BrowserWindows.button(carol, "Withdraw this SEP").click();
        atSep(carol, number);
        assertThat(status(number)).isEqualTo("withdrawn");
    }

    @Test
    void aDecisionIsPutOnHoldTakenUpAndItsSponsorStepsDown() throws Exception {
        int number = seps.submit("Paging");
        seps.moveToReview(number);
        Page alice = windows.go(windows.signedInAs("alice"), "/console/seps/" + number + "/act/hold");
        alice.getByLabel("Reason").fill("until the meeting");
        BrowserWindows.button(alice, "Put the decision on hold").click();
        atSep(alice, number);
        assertThat(seps.show(number).path("hold").path("reason").asString()).isEqualTo("until the meeting");
        windows.go(alice, "/console/seps/" + number + "/act/move?to=accepted");
        assertThat(alice.getByText("The decision has been on hold since")).isVisible();
        windows.go(alice, "/console/seps/" + number + "/act/release");
        BrowserWindows.button(alice, "Resume the decision").click();
        atSep(alice, number);
        assertThat(seps.show(number).has("hold")).isFalse();

        Page bob = windows.go(windows.signedInAs("bob"), "/console/seps/" + number + "/act/step-down");
        BrowserWindows.button(bob, "Step down as sponsor").click();
        atSep(bob, number);
        assertThat(seps.show(number).path("sponsor").isNull()).isTrue();
    }

    @Test
    void withoutScriptsTheyArePlainForms() throws Exception {
        int number = seps.submit("Paging");
        Page bob = windows.go(windows.withoutScripts("bob"), "/console/seps/" + number + "/act/sponsor");
        BrowserWindows.button(bob, "Sponsor this SEP").click();
        atSep(bob, number);
        seps.agreeOnGoals(number);
        seps.act("bob", number, "move", Map.of("to", "provisional"));
        windows.go(bob, "/console/seps/" + number + "/act/move?to=prototyping");
        bob.getByLabel("A link to working code", exact()).fill("somewhere");
        bob.getByLabel("Reason").fill("works\nfor all");
        BrowserWindows.button(bob, "Move to prototyping").click();
        assertThat(alert(bob)).containsText("'somewhere' is not valid for 'prototype'");
        assertThat(bob.getByLabel("Reason")).hasValue("works\nfor all");
        bob.getByLabel("A link to working code", exact()).fill("https://example.org/code");
        BrowserWindows.button(bob, "Move to prototyping").click();
        atSep(bob, number);
        assertThat(status(number)).isEqualTo("prototyping");
    }

    @Test
    void aFormOfAnotherSessionDoesNothing() throws Exception {
        int number = seps.submit("Paging");
        Page bob = windows.go(windows.withoutScripts("bob"), "/console/seps/" + number + "/act/sponsor");
        Page other = windows.go(windows.signedInAs("bob"), "/console/seps/" + number + "/act/sponsor");
        other.locator("form.act input[name=csrf]").evaluate("field => field.value = 'another'");
        BrowserWindows.button(other, "Sponsor this SEP").click();
        assertThat(BrowserWindows.heading(other)).hasText("Form refused");
        assertThat(status(number)).isEqualTo("proposal");
        BrowserWindows.button(bob, "Sponsor this SEP").click();
        atSep(bob, number);
    }

    @ParameterizedTest
    @EnumSource(
            value = ColorScheme.class,
            names = {"LIGHT", "DARK"})
    void formsAreForEverybodyAndFitAPhone(ColorScheme theme) throws Exception {
        int number = seps.submit("Paging" + "g".repeat(120));
        seps.moveToReview(number);
        seps.act("carol", number, "attach", Map.of("evidence", Map.of("prototype", "https://example.org/code")));
        Page alice = windows.inboxOf("alice", 390, theme);
        for (String act : new String[] {
            "vote", "ask", "attach", "supersede", "transfer", "move?to=accepted", "move?to=deferred", "move?to=final"
        }) {
            windows.go(alice, "/console/seps/" + number + "/act/" + act);
            AccessibilityCheck.assertNoProblems(alice);
            BrowserWindows.assertFitsWindow(alice);
        }
        windows.go(alice, "/console/seps/" + number + "/act/move?to=rejected");
        BrowserWindows.button(alice, "Move to rejected").click();
        assertThat(alert(alice)).isFocused();
        AccessibilityCheck.assertNoProblems(alice);
        BrowserWindows.assertFitsWindow(alice);
    }
}
