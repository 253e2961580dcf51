package dev.gavel.app.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Response;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that the console hides what a topic's settings {@code visibility} and {@code showApprovers} hide. */
class ProposalPrivacyTest extends BrowserTest {
    private static final String SECRET = "zebra-47";
    private static final String ARGUMENTS = "{\"path\":\"" + SECRET + "\"}";

    @Override
    protected String extraConfig() {
        return """
                  private:
                    visibility: involved
                    participants:
                      alice: ["mcp.request.tools/*", "mcpx.*", "chat.*"]
                      helper: ["mcp.proposal.*", "mcpx.withdraw.proposal"]
                      carol: ["mcpx.*", "chat.*"]
                      files: ["mcp.response.*"]
                  blind:
                    showApprovers: false
                    participants:
                      alice: ["mcp.request.tools/*", "mcpx.*", "chat.*"]
                      bob: ["mcp.request.tools/*", "mcpx.*", "chat.*"]
                      helper: ["mcp.proposal.*", "mcpx.withdraw.proposal", "chat.*"]
                      files: ["mcp.response.*"]
                """;
    }

    private void reject(String topic, String who, String id, String about) throws Exception {
        consoleTestServer.sendIn(
                topic,
                who,
                id,
                "mcpx.reject.proposal",
                about,
                "{\"reason\":\"unsafe\",\"note\":\"note " + SECRET + "\"}");
    }

    @Test
    void aMemberThatIsNotInvolvedSeesNothingOfAProposal() throws Exception {
        consoleTestServer.proposeIn("private", "p-private", "first_tool", ARGUMENTS);
        for (String path : List.of("/", "/console/topics/private", "/console/topics/private/proposals")) {
            Page page = windows.signedInAs("carol");
            windows.go(page, path);
            assertThat(BrowserWindows.heading(page)).isVisible();
            assertThat(page.content()).doesNotContain("first_tool", SECRET, "p-private");
            Page proposer = windows.signedInAs("alice");
            windows.go(proposer, path);
            assertThat(proposer.locator("main")).containsText("first_tool");
        }
        Page page = windows.signedInAs("carol");
        for (String path : List.of("", "/approve", "/edit", "/reject")) {
            Response response = page.navigate(consoleTestServer.url("/console/proposals/private/p-private" + path));
            assertThat(response.status()).as(path).isEqualTo(404);
            assertThat(page.content()).doesNotContain("first_tool", SECRET);
        }
    }

    @Test
    void aMemberThatIsNotInvolvedReceivesNoLiveUpdatesOfAProposal() throws Exception {
        Page inbox = windows.inboxOf("carol");
        Page topic = windows.signedInAs("carol");
        windows.go(topic, "/console/topics/private");
        Page reviewer = windows.signedInAs("alice");
        windows.go(reviewer, "/console/topics/private");
        // Everything that a page inserts or receives is collected, also what it would filter out.
        for (Page page : List.of(inbox, topic)) {
            page.evaluate(
                    "() => { window.received = []; for (const name of ['card', 'row', 'seps', 'count', 'page'])"
                            + " { document.addEventListener('gavel:' + name, (event) => window.received.push("
                            + "event.detail?.documentElement ? event.detail.documentElement.outerHTML : String(event.detail))); } }");
        }
        consoleTestServer.proposeIn("private", "p-private", "first_tool", ARGUMENTS);
        reject("private", "alice", "r-1", "p-private");
        assertThat(reviewer.locator("#rows")).containsText("You rejected first_tool");
        // The pages of carol receive what comes after it, so they would have received it.
        Page chat = windows.signedInAs("alice");
        windows.go(chat, "/console/topics/private");
        chat.locator("#chat textarea").fill("later");
        chat.keyboard().press("Enter");
        assertThat(topic.locator("#rows")).containsText("later");
        for (Page page : List.of(inbox, topic)) {
            assertThat(page.content()).doesNotContain("first_tool", SECRET, "p-private");
            assertThat((String) page.evaluate("() => window.received.join()"))
                    .doesNotContain("first_tool", SECRET, "p-private");
        }
    }

    @Test
    void aProposerDoesNotLearnWhoDecides() throws Exception {
        Page live = windows.signedInAs("helper");
        windows.go(live, "/console/topics/blind");
        consoleTestServer.proposeIn("blind", "p-private", "first_tool", ARGUMENTS);
        consoleTestServer.sendIn(
                "blind", "alice", "s-1", "mcpx.status.proposal", "p-private", "{\"status\":\"considering\"}");
        reject("blind", "bob", "r-1", "p-private");
        Locator rows = live.locator("#rows li[data-sort=proposals]");
        assertThat(live.locator("#rows")).containsText("A reviewer rejected first_tool");
        Page loaded = windows.signedInAs("helper");
        for (String path : List.of(
                "/console/topics/blind?show=proposals",
                "/console/topics/blind/proposals",
                "/console/proposals/blind/p-private")) {
            windows.go(loaded, path);
            assertThat(loaded.locator("main")).containsText("first_tool");
            String shown = path.contains("show=")
                    ? loaded.locator("#rows").innerHTML()
                    : loaded.locator("main").innerHTML();
            assertThat(shown).as(path).doesNotContainIgnoringCase("alice").doesNotContainIgnoringCase("bob");
        }
        assertThat(String.join(
                        "",
                        rows.all().stream()
                                .map(each -> (String) each.evaluate("row => row.outerHTML"))
                                .toList()))
                .doesNotContainIgnoringCase("alice")
                .doesNotContainIgnoringCase("bob");
        // Other members still see it.
        Page reviewer = windows.signedInAs("alice");
        windows.go(reviewer, "/console/topics/blind");
        assertThat(reviewer.locator("#rows")).containsText("Bob rejected first_tool");
    }
}
