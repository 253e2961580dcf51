package dev.gavel.app.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.gavel.app.console.BrowserWindows.button;
import static dev.gavel.app.console.BrowserWindows.heading;
import static dev.gavel.app.console.BrowserWindows.title;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Response;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import dev.gavel.app.bridge.ScriptedMcpServer;
import dev.gavel.app.bridge.UnforwardableAnswerServer;
import dev.gavel.app.interop.InteropPrograms;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the pages about bridges and the ledger in a real browser, and the layout of all administration pages. */
@SuppressWarnings("NullAway.Init") // each test opens what it needs
class AdminHealthTest {
    @TempDir
    private Path data;

    private ConsoleTestServer consoleTestServer;
    private BrowserWindows windows;

    private void open(String more) throws IOException {
        consoleTestServer = new ConsoleTestServer(data, more);
        windows = new BrowserWindows(ChromiumBrowser.shared(), consoleTestServer);
    }

    /** Opens the console with a working bridge and a failing one. */
    private void openBridged() throws IOException {
        open(ScriptedMcpServer.yaml("scripted", Map.of()) + """
                  broken:
                    topic: quiet
                    command: ["/no/such/program"]
                """);
    }

    @AfterEach
    void close() throws IOException {
        windows.close();
        consoleTestServer.close();
    }

    private static Locator bridge(Page page, String name) {
        return page.getByRole(AriaRole.ARTICLE, new Page.GetByRoleOptions().setName(name));
    }

    private void damage(String statement) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + data.resolve("ledger.db"));
                Statement sql = connection.createStatement()) {
            assertThat(sql.executeUpdate(statement)).isPositive();
        }
    }

    @Test
    void aBridgeThatIsUpAndOneThatIsDownAreToldApart() throws Exception {
        openBridged();
        Page page = windows.go(windows.signedInAs("alice"), "/console/admin/bridges");
        assertThat(bridge(page, "scripted")).containsText("up");
        assertThat(bridge(page, "scripted")).containsText("echo");
        assertThat(bridge(page, "scripted")).containsText("protocol MCP 2025-06-18");
        assertThat(bridge(page, "scripted")).containsText("restarts 0");
        assertThat(bridge(page, "broken")).containsText("down");
        assertThat(bridge(page, "broken")).containsText("/no/such/program");
        assertThat(bridge(page, "broken")).not().containsText("protocol MCP");
        windows.go(page, "/console/admin");
        assertThat(page.locator(".tiles")).containsText("1 of 2 up");
        assertThat(page.locator(".tiles")).containsText("broken");
    }

    @Test
    void messagesThatCannotBeForwardedAreShownAtTheirBridge() throws Exception {
        open("bridges:\n  unreadable: {topic: ops, command: "
                + InteropPrograms.yaml(UnforwardableAnswerServer.command(UnforwardableAnswerServer.UNREADABLE_LIST))
                + "}\n");
        Page page = windows.go(windows.signedInAs("alice"), "/console/admin/bridges");
        assertThat(bridge(page, "unreadable")).containsText("could not be forwarded");
        assertThat(bridge(page, "unreadable")).containsText("levels deep");
    }

    @Test
    void aSoundLedgerIsVerifiedAndItsHeadsCanBeNoted() throws Exception {
        open("");
        consoleTestServer.propose("p-1", "write", "{}");
        Page page = windows.go(windows.signedInAs("alice"), "/console/admin/ledger");
        assertThat(page.locator("#verification")).containsText("Not verified since this server started");
        assertThat(page.locator("#streams")).containsText("writable");
        button(page, "Verify").click();
        assertThat(page.locator("#verification")).containsText("No problems found");
        page.getByText("Heads to store elsewhere").click();
        assertThat(page.getByLabel("Heads", new Page.GetByLabelOptions().setExact(true)))
                .containsText(Pattern.compile("ops=\\d+:[0-9a-f]{64}"));
        assertThat(page.getByLabel("Command"))
                .containsText(Pattern.compile("ledger verify --data .*--head ops=\\d+:[0-9a-f]{64}", Pattern.DOTALL));
    }

    @Test
    void anEditedEventIsFound() throws Exception {
        open("");
        consoleTestServer.propose("p-1", "write", "{}");
        consoleTestServer.propose("p-2", "write", "{}");
        consoleTestServer.stop();
        damage("UPDATE event SET actor = 'mallory' WHERE subject = (SELECT id FROM subject WHERE name = 'p-1')");
        consoleTestServer.start();
        Page page = windows.go(windows.withoutScripts("alice"), "/console/admin/ledger");
        button(page, "Verify").click();
        // Without scripts, the page reloads itself until the verification is done.
        assertThat(page.getByRole(AriaRole.ALERT)).containsText("The ledger was modified or damaged");
        assertThat(page.getByRole(AriaRole.REGION, new Page.GetByRoleOptions().setName("Findings")))
                .containsText("by 'mallory'");
    }

    @ParameterizedTest
    @EnumSource(
            value = ColorScheme.class,
            names = {"LIGHT", "DARK"})
    void everyPageIsFitForPhonesKeyboardsAndScreenReaders(ColorScheme theme) throws Exception {
        openBridged();
        consoleTestServer.propose("p-1", "write", "{}");
        Page page = windows.inboxOf("alice", theme == ColorScheme.LIGHT ? 1280 : 390, theme);
        for (String path : List.of(
                "",
                "/identities?q=a",
                "/identities/alice",
                "/identities/bob/revoke",
                "/new-identity",
                "/topics",
                "/topics/ops",
                "/topics/ops/members/helper",
                "/bridges")) {
            Response answer = page.navigate(consoleTestServer.url("/console/admin" + path));
            assertThat(answer.status()).as(path).isEqualTo(200);
            assertThat(heading(page)).hasCount(1);
            check(page);
        }
        button(windows.go(page, "/console/admin/ledger"), "Verify").click();
        assertThat(page.locator("#verification")).containsText("No problems found");
        page.getByText("Heads to store elsewhere").click();
        check(page);
        windows.go(page, "/console/admin/topics/ops/members/helper");
        page.getByLabel("Capabilities").fill("a b c\n" + "x".repeat(300));
        button(page, "Save").click();
        assertThat(page.getByRole(AriaRole.ALERT)).isVisible();
        check(page);
        windows.go(page, "/console/admin/identities/carol");
        button(page, "Create token").click();
        assertThat(title(page)).hasText("Token for Carol");
        check(page);
    }

    /** Checks both wide light and narrow dark windows, because problems of one often do not appear in the other. */
    private static void check(Page page) {
        BrowserWindows.assertFitsWindow(page);
        AccessibilityCheck.assertNoProblems(page);
        int width = page.viewportSize().width;
        page.setViewportSize(390, 800);
        BrowserWindows.assertFitsWindow(page);
        page.setViewportSize(width, 800);
    }
}
