package dev.gavel.app.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.gavel.app.console.BrowserWindows.button;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import dev.gavel.app.TestSocket;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Tests that the console hides secret arguments, and shows them only after the ledger has recorded the reveal. */
class SecretArgumentsPageTest extends BrowserTest {
    private static final String SECRET = "hunter2-hunter2";
    private static final String TOOLS = """
            [{"name":"log_in","annotations":{"destructiveHint":false},"inputSchema":{"type":"object","properties":{
              "user":{"type":"string"},"password":{"type":"string","format":"password"}}}}]
            """;

    private static Locator card(Page page) {
        return page.getByRole(AriaRole.ARTICLE);
    }

    /** Proposes a call with a secret, and returns the participant that can run it. */
    private TestSocket propose() throws Exception {
        TestSocket files = consoleTestServer.joinWithTools("files", TOOLS);
        consoleTestServer.propose("p-0", "log_in", "{}");
        // The gateway may have got the list after this proposal; its definition is then new, not listed.
        await().until(() ->
                consoleTestServer.proposal("p-0").path("tools").toString().contains("\"digest\""));
        consoleTestServer.sendEnvelope("helper", "w-0", "mcpx.withdraw.proposal", "p-0", "{}");
        consoleTestServer.propose("p-1", "log_in", "{\"user\":\"a\",\"password\":\"" + SECRET + "\"}");
        return files;
    }

    @Test
    void secretsAreRevealedOnAPageOfTheirOwnAndTheRevealIsRecorded() throws Exception {
        TestSocket files = propose();
        Page page = windows.inboxOf("alice");
        Locator card = card(page);
        assertThat(card).containsText("secret, not shown");
        assertThat(page.content()).doesNotContain(SECRET);
        assertThat(consoleTestServer.proposal("p-1").path("timeline").toString())
                .doesNotContain("secrets_revealed");

        button(card, "Reveal secrets").click();
        assertThat(BrowserWindows.heading(page)).hasText("Secret arguments of log_in");
        assertThat(page.locator(".arguments").first()).containsText(SECRET);
        assertThat(page.url()).doesNotContain(SECRET);
        JsonNode reveal = consoleTestServer.proposal("p-1").path("timeline").get(1);
        assertThat(reveal.path("event").asString()).isEqualTo("secrets_revealed");
        assertThat(reveal.path("by").asString()).isEqualTo("alice");

        page.getByText("Back to the proposal").click();
        assertThat(page.locator("main")).containsText("revealed the secret arguments");
        assertThat(page.content()).doesNotContain(SECRET);
        Page activity = windows.go(windows.signedInAs("bob"), "/console/topics/ops");
        assertThat(activity.locator("main")).containsText("Alice revealed the secret arguments of log_in");
        assertThat(activity.content()).doesNotContain(SECRET);
        assertThat(files.status()).isEqualTo(101);
    }

    @Test
    void aReviewerEditsOtherArgumentsWithoutRevealingTheSecret() throws Exception {
        TestSocket files = propose();
        Page page = windows.inboxOf("alice");
        Locator card = card(page);
        card.getByText("Edit…").click();
        Locator editor = card.getByLabel(Pattern.compile("Edited arguments"));
        assertThat(editor).isVisible();
        assertThat(page.locator(".htmx-swapping, .htmx-added, .htmx-settling")).hasCount(0);
        editor.fill(editor.inputValue().replace("\"a\"", "\"b\""));
        assertThat(card.locator(".difference .added")).containsText("b");
        assertThat(card.locator(".troubles")).hasCount(0);
        button(card, "Approve with edits").click();
        JsonNode request = consoleTestServer.run(files, "log_in", ConsoleTestServer.textResult("done"));
        assertThat(request.path("payload").path("params").path("arguments").toString())
                .isEqualTo("{\"user\":\"b\",\"password\":\"" + SECRET + "\"}");
        assertThat(card).containsText("Edited and approved by you, run by files. It succeeded.");
        assertThat(page.content()).doesNotContain(SECRET);
        assertThat(consoleTestServer.proposal("p-1").path("timeline").toString())
                .doesNotContain("secrets_revealed", SECRET);
    }
}
