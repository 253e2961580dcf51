package dev.gavel.app.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Dialog;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests writing SEP documents in a real browser. */
class SepEditorTest extends SepBrowserTest {
    private static Locator document(Page page) {
        return page.getByRole(AriaRole.TEXTBOX, new Page.GetByRoleOptions().setName("Document in Markdown"));
    }

    private static Locator preview(Page page) {
        return page.getByRole(AriaRole.REGION, new Page.GetByRoleOptions().setName("Rendered document"));
    }

    private static Locator findings(Page page) {
        return page.getByRole(AriaRole.REGION, new Page.GetByRoleOptions().setName(Pattern.compile("Problems")));
    }

    /** The number of the SEP just submitted. */
    private static int awaitSubmittedNumber(Page page) {
        page.waitForURL(Pattern.compile(".*/console/seps/[0-9]+([?]did=submit)?$"));
        return Integer.parseInt(page.url().replaceAll(".*/|[?].*", ""));
    }

    private Page startDocument(Page page, String title) {
        windows.go(page, "/console/seps/new");
        page.getByLabel("Title").fill(title);
        BrowserWindows.button(page, "Start writing").click();
        assertThat(document(page)).hasValue(Pattern.compile("^# SEP-0000: " + title));
        return page;
    }

    @Test
    void aNewSepIsBegunSeenCheckedAndSubmitted() throws Exception {
        int other = seps.submit("Paging for every list");
        Page carol = startDocument(windows.inboxOf("carol"), "Paging for resources");
        assertThat(document(carol)).hasValue(Pattern.compile("Author\\(s\\)\\*\\*: Carol \\(@carol\\)"));
        assertThat(preview(carol).getByRole(AriaRole.HEADING, new Locator.GetByRoleOptions().setName("Abstract")))
                .isVisible();
        assertThat(findings(carol)).containsText("line");

        document(carol).fill(SepTestData.document("Paging for resources") + "\nLook at *this*.\n");
        assertThat(preview(carol).locator("em")).hasText("this");
        assertThat(preview(carol)).containsText("A list has a cursor.");
        assertThat(carol.getByRole(AriaRole.REGION, new Page.GetByRoleOptions().setName("Similar SEPs")))
                .containsText("SEP-" + other + ": Paging for every list");

        document(carol)
                .evaluate("field => { field.value += '\\n**At once.**\\n'; htmx.trigger(field, 'gavel:check'); }");
        assertThat(BrowserWindows.button(carol, "Check")).hasCount(0);
        assertThat(preview(carol)).containsText("At once.");

        BrowserWindows.button(carol, "Submit").click();
        int number = awaitSubmittedNumber(carol);
        assertThat(seps.show(number).path("title").asString()).isEqualTo("Paging for resources");
        assertThat(seps.text(number)).contains("Look at *this*.");

        windows.go(carol, "/console/seps/new?title=Paging+for+resources");
        assertThat(document(carol)).not().hasValue(Pattern.compile("Look at"));
    }

    @Test
    void aFindingLeadsToItsLine() {
        Page carol = startDocument(windows.inboxOf("carol"), "Paging");
        document(carol).fill("# SEP-0000: Paging\n\n- **Type**: Nonsense\n\n## Abstract\n\nSome.\n");
        Locator finding =
                findings(carol).getByRole(AriaRole.LISTITEM).filter(new Locator.FilterOptions().setHasText("Nonsense"));
        finding.getByRole(AriaRole.LINK).click();
        assertThat(document(carol)).isFocused();
        assertThat(document(carol).evaluate("field => field.value.slice(field.selectionStart, field.selectionEnd)"))
                .isEqualTo("- **Type**: Nonsense");
    }

    @Test
    void aRefusalKeepsAllThatWasWritten() {
        Page carol = startDocument(windows.inboxOf("carol"), "Paging");
        String text = "# SEP-0000: Paging\n\n  two spaces, <b>marks</b> & more\n\n## Abstract\n\nSome.\n";
        document(carol).fill(text);
        BrowserWindows.button(carol, "Submit").click();
        assertThat(carol.getByRole(AriaRole.ALERT)).containsText("Motivation");
        assertThat(document(carol)).hasValue(text);
        assertThat(BrowserWindows.heading(carol).first()).hasText("Paging");
    }

    @Test
    void whatIsNotSentSurvivesAReload() {
        Page carol = startDocument(windows.inboxOf("carol"), "Paging");
        carol.onDialog(Dialog::accept);
        document(carol).pressSequentially("# mine\n");
        carol.reload();
        assertThat(carol.getByText("Your unsaved draft was restored.")).isVisible();
        assertThat(document(carol)).hasValue(Pattern.compile("# mine"));
        BrowserWindows.button(carol, "Discard draft").click();
        assertThat(document(carol)).not().hasValue(Pattern.compile("# mine"));
        carol.reload();
        assertThat(document(carol)).not().hasValue(Pattern.compile("# mine"));
        assertThat(carol.getByText("Your unsaved draft was restored.")).isHidden();
    }

    @Test
    void leavingWithSomethingUnsentWarns() {
        Page carol = startDocument(windows.inboxOf("carol"), "Paging");
        List<String> requests = new ArrayList<>();
        carol.onDialog(dialog -> {
            requests.add(dialog.type());
            dialog.accept();
        });
        document(carol).pressSequentially("x");
        BrowserWindows.link(carol, "Inbox").click();
        assertThat(BrowserWindows.heading(carol)).containsText("Waiting for you");
        assertThat(requests).containsExactly("beforeunload");
    }

    @Test
    void nobodyOverwritesWhatSomebodyElseWroteMeanwhile() throws Exception {
        int number = seps.submit("Paging");
        Page carol = windows.go(windows.signedInAs("carol"), "/console/seps/" + number + "/edit");
        assertThat(document(carol)).hasValue(Pattern.compile("A list has a cursor."));
        seps.act("bob", number, "sponsor", Map.of());
        seps.request(
                "bob",
                "PUT",
                "/seps/" + number,
                Map.of("document", SepTestData.document("Paging") + "\nBob's line.\n"));

        document(carol).fill(SepTestData.document("Paging") + "\nCarol's line.\n");
        BrowserWindows.button(carol, "Save").click();
        assertThat(carol.getByRole(AriaRole.ALERT))
                .containsText("Nothing was saved. Bob has changed the document in the meantime.");
        assertThat(document(carol)).hasValue(Pattern.compile("Carol's line."));
        carol.getByText("Show the current document").first().click();
        assertThat(carol.locator(".theirs pre")).containsText("Bob's line.");
        assertThat(seps.text(number)).contains("Bob's line.");

        document(carol).fill(SepTestData.document("Paging") + "\nBob's line.\nCarol's line.\n");
        BrowserWindows.button(carol, "Save").click();
        carol.waitForURL(Pattern.compile(".*/console/seps/" + number + "([?]did=edit)?$"));
        assertThat(seps.text(number)).contains("Bob's line.\nCarol's line.\n");
    }

    @Test
    void aDraftThatIsTakenUpAgainOverwritesNothingEither() throws Exception {
        int number = seps.submit("Paging");
        Page carol = windows.go(windows.signedInAs("carol"), "/console/seps/" + number + "/edit");
        carol.onDialog(Dialog::accept);
        document(carol).fill(SepTestData.document("Paging") + "\nCarol's line.\n");
        windows.go(carol, "/console/seps/" + number);
        seps.act("bob", number, "sponsor", Map.of());
        seps.request(
                "bob",
                "PUT",
                "/seps/" + number,
                Map.of("document", SepTestData.document("Paging") + "\nBob's line.\n"));

        windows.go(carol, "/console/seps/" + number + "/edit");
        assertThat(document(carol)).hasValue(Pattern.compile("Carol's line."));
        BrowserWindows.button(carol, "Save").click();
        assertThat(carol.getByRole(AriaRole.ALERT))
                .containsText("Nothing was saved. Bob has changed the document in the meantime.");
        assertThat(seps.text(number)).contains("Bob's line.");
    }

    @Test
    void onlyThoseWhoMayAreGivenTheEditor() throws Exception {
        int number = seps.submit("Paging");
        Page bob = windows.go(windows.signedInAs("bob"), "/console/seps/" + number + "/edit");
        assertThat(BrowserWindows.heading(bob)).containsText("You cannot edit this SEP");
        windows.go(bob, "/console/seps/99/edit");
        assertThat(BrowserWindows.heading(bob)).containsText("Not found");
    }

    @Test
    void aLongDocumentIsTakenWholeWithTheLineEndsItHad() throws Exception {
        String dos = (SepTestData.document("Paging") + "é".repeat(200_000) + "\n").replace("\n", "\r\n");
        int number = seps.request("carol", "POST", "/seps", Map.of("document", dos))
                .path("number")
                .asInt();
        Page carol = windows.go(windows.signedInAs("carol"), "/console/seps/" + number + "/edit");
        assertThat(carol.getByText("The preview shows only the beginning of the document. Your document is not cut."))
                .isVisible();
        document(carol).evaluate("field => { field.value += 'the end\\n'; }");
        BrowserWindows.button(carol, "Save").click();
        carol.waitForURL(Pattern.compile(".*/console/seps/" + number + "([?]did=edit)?$"));
        assertThat(seps.text(number)).isEqualTo(dos + "the end\r\n");
    }

    @Test
    void whatIsWrittenIsShownAndNeverRun() {
        Page carol = startDocument(windows.inboxOf("carol"), "Paging");
        List<String> violations = new ArrayList<>();
        carol.onConsoleMessage(message -> violations.add(message.text()));
        document(carol)
                .fill(
                        "# SEP-0000: Paging\n\n<script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">"
                                + "\n\n[go](javascript:alert(1)) </textarea><b>bold</b>\n");
        assertThat(preview(carol).locator("b")).hasText("bold");
        assertThat(preview(carol).locator("img, script")).hasCount(0);
        BrowserWindows.button(carol, "Submit").click();
        assertThat(carol.getByRole(AriaRole.ALERT)).isVisible();
        assertThat(document(carol)).hasValue(Pattern.compile("</textarea><b>bold</b>"));
        assertThat(carol).hasTitle("Write a SEP · Gavel");
        assertThat(violations).noneMatch(text -> text.contains("Content Security Policy"));
    }

    @Test
    void withoutScriptsItIsWrittenCheckedAndSent() throws Exception {
        Page carol = startDocument(windows.withoutScripts("carol"), "Paging");
        document(carol).fill("# SEP-0000: Paging\n\n## Abstract\n\n*Some.*\n");
        BrowserWindows.button(carol, "Check").click();
        assertThat(preview(carol).locator("em")).hasText("Some.");
        assertThat(findings(carol)).containsText("Motivation");
        assertThat(document(carol)).hasValue("# SEP-0000: Paging\n\n## Abstract\n\n*Some.*\n");
        document(carol).fill(SepTestData.document("Paging"));
        BrowserWindows.button(carol, "Submit").click();
        int number = awaitSubmittedNumber(carol);
        assertThat(seps.text(number)).contains("Cursors survive changes of the list.");
        windows.go(carol, "/console/seps/" + number + "/edit");
        document(carol).fill(SepTestData.document("Paging anew"));
        BrowserWindows.button(carol, "Save").click();
        carol.waitForURL(Pattern.compile(".*/console/seps/" + number + "([?]did=edit)?$"));
        assertThat(seps.show(number).path("title").asString()).isEqualTo("Paging anew");
    }

    @ParameterizedTest
    @EnumSource(
            value = ColorScheme.class,
            names = {"LIGHT", "DARK"})
    void theEditorIsForEverybodyAndFitsAPhone(ColorScheme theme) throws Exception {
        int number = seps.submit("Paging for every list");
        Page carol = windows.inboxOf("carol", 390, theme);
        windows.go(carol, "/console/seps/new");
        AccessibilityCheck.assertNoProblems(carol);
        BrowserWindows.assertFitsWindow(carol);
        startDocument(carol, "Paging for " + "x".repeat(100));
        AccessibilityCheck.assertNoProblems(carol);
        BrowserWindows.assertFitsWindow(carol);
        Page wide = windows.go(windows.signedInAs("carol", 1280, theme), "/console/seps/" + number + "/edit");
        AccessibilityCheck.assertNoProblems(wide);
        BrowserWindows.assertFitsWindow(wide);
    }
}
