package dev.gavel.app.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Tests that the console binds votes and decisions to the document that people have read. */
class SepDecisionTest extends SepBrowserTest {
    private static Locator region(Page page, String name) {
        return page.getByRole(
                AriaRole.REGION, new Page.GetByRoleOptions().setName(name).setExact(true));
    }

    private static Locator actions(Page page) {
        return region(page, "What you can do");
    }

    private static Locator action(Page page, String name) {
        return actions(page)
                .getByRole(
                        AriaRole.LINK,
                        new Locator.GetByRoleOptions().setName(name).setExact(true));
    }

    /** The region of the votes; its name says whether they carry. */
    private static Locator votes(Page page) {
        return page.getByRole(AriaRole.REGION, new Page.GetByRoleOptions().setName(Pattern.compile("^Votes")));
    }

    private static void vote(Page page, String ballot) {
        page.getByRole(
                        AriaRole.RADIO,
                        new Page.GetByRoleOptions().setName(ballot).setExact(true))
                .check();
        BrowserWindows.button(page, "Vote").click();
    }

    private void editSpecification(int number, String specification) {
        Page carol = windows.go(windows.signedInAs("carol"), "/console/seps/" + number + "/edit");
        Locator document =
                carol.getByRole(AriaRole.TEXTBOX, new Page.GetByRoleOptions().setName("Document in Markdown"));
        document.fill(SepTestData.document("Paging").replace("A list has a cursor.", specification));
        BrowserWindows.button(carol, "Save").click();
        carol.waitForURL(Pattern.compile(".*/console/seps/" + number + "([?]did=edit)?$"));
    }

    private int votes(int number) throws IOException, InterruptedException {
        return seps.show(number).path("tally").path("votes").size();
    }

    @Test
    void anEditVoidsTheVotesAndTheVotersSeeTheDifference() throws Exception {
        int number = seps.submit("Paging");
        seps.moveToReview(number);
        String path = "/console/seps/" + number;
        Page alice = windows.go(windows.signedInAs("alice"), path);
        action(alice, "Vote…").click();
        vote(alice, "Yes");
        assertThat(votes(alice)).containsText("1 yes");
        Page stale = windows.go(
                windows.withoutScripts("dana"),
                path + "/act/vote?document=" + seps.show(number).path("hash").asString());

        editSpecification(number, "A list has a cursor and a limit.");

        assertThat(alice.getByText("An edit of Carol voided the votes of Alice."))
                .isVisible();
        assertThat(votes(alice)).containsText("0 yes");
        Locator difference = region(alice, "Changes since the last vote");
        assertThat(difference.locator(".line-removed")).containsText("A list has a cursor.");
        assertThat(difference.locator(".line-added")).containsText("A list has a cursor and a limit.");
        assertThat(votes(number)).isZero();

        vote(stale, "Yes");
        assertThat(stale.getByRole(AriaRole.ALERT)).containsText("Carol has changed the document in the meantime.");
        assertThat(stale.getByRole(AriaRole.ALERT)).containsText("specification");
        assertThat(votes(number)).isZero();

        action(alice, "Vote…").click();
        vote(alice, "Yes");
        assertThat(votes(alice)).containsText("1 yes");
        assertThat(difference).hasCount(0);
        assertThat(votes(number)).isEqualTo(1);
    }

    @Test
    void aFormThatWasOpenedBeforeAnEditIsRefused() throws Exception {
        int number = seps.submit("Paging");
        seps.moveToReview(number);
        Page dana = windows.go(windows.signedInAs("dana"), "/console/seps/" + number);
        action(dana, "Vote…").click();
        assertThat(BrowserWindows.button(actions(dana), "Vote")).isVisible();

        editSpecification(number, "A list has no cursor.");

        assertThat(dana.getByText("A list has no cursor.").first()).isVisible();
        vote(dana, "Yes");
        assertThat(actions(dana).getByRole(AriaRole.ALERT))
                .containsText("Carol has changed the document in the meantime.");
        assertThat(votes(number)).isZero();
    }

    @Test
    void aSecondCoreMaintainerConfirmsADecision() throws Exception {
        int number = seps.submit("Paging");
        seps.moveToReview(number);
        seps.attach("dana", number, "decision", "rejected: the servers do not need it");
        Page dana = windows.go(windows.signedInAs("dana"), "/console/seps/" + number);
        assertThat(region(dana, "Waiting for you")).containsText("waits for the confirmation of another person");
        assertThat(action(dana, "Confirm evidence…")).hasCount(0);

        Page alice = windows.go(windows.signedInAs("alice"), "/console/seps/" + number);
        action(alice, "Confirm evidence…").click();
        assertThat(actions(alice)).containsText("The recorded decision of Dana: rejected: the servers do not need it");
        BrowserWindows.button(actions(alice), "Confirm evidence").click();
        assertThat(alice.locator("#did")).hasText("You confirmed the evidence.");
        assertThat(alice.getByText("waits for the confirmation of another person"))
                .hasCount(0);

        windows.go(
                alice,
                "/console/seps/" + number + "/act/move?to=rejected&document="
                        + seps.show(number).path("hash").asString());
        alice.getByLabel("The rationale of the decision").fill("The servers do not need it.\nExtend the registry.");
        BrowserWindows.button(alice, "Move to rejected").click();
        assertThat(alice.locator("#sep-head .badge")).hasText("rejected");
        Page carol = windows.inboxOf("carol");
        assertThat(carol.getByText("Alice moved the SEP from in-review to rejected."))
                .isVisible();
        assertThat(carol.getByText("Extend the registry.")).isVisible();
        windows.go(carol, "/console/seps/" + number);
        assertThat(region(carol, "No action needed")).containsText("The servers do not need it.");
        assertThat(region(carol, "Evidence")).containsText("The servers do not need it. Extend the registry.");
    }

    @Test
    void itsPagesAreForEverybodyAndFitEveryWidthInBothThemes() throws Exception {
        int number = seps.submit("Paging");
        seps.moveToReview(number);
        seps.act("alice", number, "vote", Map.of("ballot", "yes"));
        editSpecification(number, "A list has a cursor, a limit and a total of all its elements. " + "x".repeat(120));
        seps.attach("dana", number, "decision", "deferred: " + "not now ".repeat(40) + "y".repeat(120));
        for (ColorScheme theme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
            for (int width : new int[] {390, 1440}) {
                Page alice = windows.signedInAs("alice", width, theme);
                for (String path : List.of("", "/act/vote", "/act/confirm", "/edit")) {
                    windows.go(alice, "/console/seps/" + number + path);
                    AccessibilityCheck.assertNoProblems(alice);
                    BrowserWindows.assertFitsWindow(alice);
                }
            }
        }
    }
}
