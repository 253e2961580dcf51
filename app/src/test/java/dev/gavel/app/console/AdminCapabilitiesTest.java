package dev.gavel.app.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.gavel.app.console.BrowserWindows.button;
import static dev.gavel.app.console.BrowserWindows.link;
import static dev.gavel.app.console.BrowserWindows.title;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Tests setting the capabilities of members in a real browser. */
class AdminCapabilitiesTest extends BrowserTest {
    private static Locator row(Page page, String member) {
        return page.locator("#members li").filter(new Locator.FilterOptions().setHas(link(page, member)));
    }

    private int chats(String who, String id) throws IOException, InterruptedException {
        return consoleTestServer
                .call(
                        "POST",
                        who,
                        "/topics/ops/messages",
                        "{\"protocol\":\"mcpx/v0.1\",\"id\":\"" + id
                                + "\",\"kind\":\"chat.message\",\"payload\":{\"text\":\"hi\"}}")
                .statusCode();
    }

    @Test
    void aMistakeIsShownInPlaceAndWhatIsRightCountsAtOnce() throws Exception {
        assertThat(chats("helper", "c-1")).isEqualTo(403);
        Page page = windows.go(windows.signedInAs("alice"), "/console/admin/topics");
        page.locator("#topics").getByText("ops").click();
        row(page, "helper").getByText("Edit").click();
        Locator text = page.getByLabel("Capabilities");
        assertThat(text).hasValue("mcp.proposal.*\nmcpx.withdraw.proposal");
        String wrong = "mcp.proposal.*\n\nchat .*\n{\"kind\":";
        text.fill(wrong);
        button(page, "Save").click();
        assertThat(page.getByRole(AriaRole.ALERT)).containsText("Line 3");
        assertThat(page.getByRole(AriaRole.ALERT)).containsText("Line 4");
        assertThat(text).hasValue(wrong);
        assertThat(chats("helper", "c-2")).isEqualTo(403);

        text.fill(
                "mcp.proposal.*\nchat.*\n{\"kind\":\"mcp.request.tools/call:read\",\"payload\":{\"params\":{\"arguments\":{\"path\":\"/tmp/*\"}}}}");
        button(page, "Save").click();
        assertThat(page.getByRole(AriaRole.STATUS).first()).hasText("Saved. The change is in effect.");
        assertThat(row(page, "helper")).containsText("run time");
        assertThat(row(page, "helper")).containsText("/tmp/*");
        assertThat(chats("helper", "c-3")).isEqualTo(202);
    }

    @Test
    void somebodyIsAddedByAnExampleAndTakenOutAgain() throws Exception {
        Page page = windows.go(windows.signedInAs("alice"), "/console/admin/topics/ops");
        page.getByLabel("Identity").fill("carroll");
        button(page, "Continue").click();
        assertThat(page.getByRole(AriaRole.ALERT)).containsText("There is no identity 'carroll'");
        page.getByLabel("Identity").fill("carol");
        button(page, "Continue").click();
        assertThat(page.locator("form.panel")).containsText("Carol is not a member of ops yet");
        link(page, "Reviewer").click();
        assertThat(page.getByLabel("Capabilities")).hasValue("mcp.request.*\nmcpx.*\nchat.*");
        button(page, "Add member").click();
        assertThat(row(page, "Carol")).containsText("mcp.request.*");
        assertThat(chats("carol", "c-1")).isEqualTo(202);

        row(page, "Carol").getByText("Edit").click();
        link(page, "Remove Carol from ops…").click();
        button(page, "Remove").click();
        assertThat(row(page, "Carol")).hasCount(0);
        assertThat(chats("carol", "c-2")).isEqualTo(403);
    }

    @Test
    void whoWasTakenOutCanBeWhatTheConfigurationSaysAgain() {
        Page page = windows.go(windows.withoutScripts("alice"), "/console/admin/topics/ops/members/bob");
        link(page, "Remove Bob from ops…").click();
        button(page, "Remove").click();
        assertThat(page.getByRole(AriaRole.STATUS)).hasText("Removed from the topic.");
        assertThat(title(page)).containsText("Members of ops");
        page.getByRole(AriaRole.REGION, new Page.GetByRoleOptions().setName("Removed"))
                .getByText("bob")
                .click();
        link(page, "Reset to the configuration…").click();
        assertThat(page.locator(".confirm")).containsText("mcp.request.tools/*, mcpx.*, chat.*");
        button(page, "Reset").click();
        assertThat(row(page, "Bob")).containsText("configuration");
        assertThat(row(page, "Bob")).containsText("mcp.request.tools/*");
    }
}
