package dev.gavel.app.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.gavel.app.console.BrowserWindows.link;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the way of a new user who has read nothing, starting with {@code gavel demo}. */
class NewcomerTest {
    @Test
    void findsOutFromTheDemoWhatWaitsApprovesItAndLearnsWhatAnAuthorMustDo(@TempDir Path data) throws Exception {
        try (DemoProcess demoProcess = new DemoProcess(data)) {
            Page page = ChromiumBrowser.shared().window();
            page.navigate(demoProcess.link());
            Locator card = page.locator("#inbox article");
            assertThat(card).containsText("delete_file");
            assertThat(card).containsText("agent");
            assertThat(card).containsText("destructive");
            assertThat(card).containsText("from which it can be restored");
            assertThat(card).containsText("drafts/plan-2019.txt");
            assertThat(card).containsText("Runs on files");
            BrowserWindows.approveCareful(card);
            assertThat(page.locator("#inbox article").first())
                    .containsText("Approved by you, run by files. It succeeded.");
            assertThat(page.locator("#inbox article").first()).containsText("deleted 'drafts/plan-2019.txt'");

            assertThat(page.locator("#seps article")).hasCount(2);
            link(page, "SEPs").click();
            page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName("Pagination for all lists"))
                    .click();
            Locator next = page.getByRole(AriaRole.REGION, new Page.GetByRoleOptions().setName("What happens next"));
            assertThat(next).containsText("Waiting for Mira: “Complete every section of the document");
            assertThat(next).containsText("Deadline");
            page.context().close();
        }
    }
}
