package dev.gavel.app.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import java.util.ArrayList;
import java.util.List;

/** Opens the browser windows of one test, one for each person, and closes them after it. */
final class BrowserWindows implements AutoCloseable {
    private final ChromiumBrowser browser;
    private final ConsoleTestServer consoleTestServer;
    private final List<Page> open = new ArrayList<>();

    BrowserWindows(ChromiumBrowser browser, ConsoleTestServer consoleTestServer) {
        this.browser = browser;
        this.consoleTestServer = consoleTestServer;
    }

    /** A window without a session. */
    Page signedOut() {
        return closeLater(browser.window());
    }

    /** A window in which an identity is signed in, on no page yet. */
    Page signedInAs(String identity) {
        return signedIn(signedOut(), identity);
    }

    /** A window in which an identity is signed in, at the inbox. */
    Page inboxOf(String identity) {
        return inbox(signedInAs(identity));
    }

    Page signedInAs(String identity, int width, ColorScheme theme) {
        return signedIn(closeLater(browser.window(width, theme)), identity);
    }

    /** A narrow window with a touch screen in which an identity is signed in. */
    Page signedInWithTouch(String identity) {
        return signedIn(closeLater(browser.windowWithTouch()), identity);
    }

    Page inboxOf(String identity, int width, ColorScheme theme) {
        return inbox(signedInAs(identity, width, theme));
    }

    /** A window without a session in which no script runs. */
    Page signedOutWithoutScripts() {
        return closeLater(browser.windowWithoutScripts());
    }

    Page withoutScripts(String identity) {
        return inbox(signedIn(signedOutWithoutScripts(), identity));
    }

    /** Opens a page of the console. */
    Page go(Page page, String path) {
        page.navigate(consoleTestServer.url(path));
        return page;
    }

    private Page closeLater(Page page) {
        open.add(page);
        return page;
    }

    /** Sets the session cookie; other tests cover the sign-in itself. */
    private Page signedIn(Page page, String identity) {
        page.context().addCookies(List.of(consoleTestServer.session(identity)));
        return page;
    }

    private Page inbox(Page page) {
        go(page, "/");
        assertThat(heading(page)).containsText("Waiting for you");
        return page;
    }

    static Locator heading(Page page) {
        return page.getByRole(AriaRole.HEADING, new Page.GetByRoleOptions().setLevel(1));
    }

    /** The title of a page with tabs, below the tabs. */
    static Locator title(Page page) {
        return page.locator("main h2.title");
    }

    static Locator button(Page page, String name) {
        return page.getByRole(
                AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
    }

    static Locator button(Locator within, String name) {
        return within.getByRole(
                AriaRole.BUTTON, new Locator.GetByRoleOptions().setName(name).setExact(true));
    }

    /** Approves a call that needs care: asks for it, and confirms. */
    static void approveCareful(Locator card) {
        card.getByText("Approve…").click();
        card.locator("form.confirm button").click();
    }

    static Locator link(Page page, String name) {
        return page.getByRole(
                AriaRole.LINK, new Page.GetByRoleOptions().setName(name).setExact(true));
    }

    /** Checks that nothing on the page is wider than the window. */
    static void assertFitsWindow(Page page) {
        Object wider =
                page.evaluate("() => document.documentElement.scrollWidth - document.documentElement.clientWidth");
        org.assertj.core.api.Assertions.assertThat(((Number) wider).intValue())
                .as("how much wider than the window " + page.url() + " is")
                .isLessThanOrEqualTo(0);
    }

    @Override
    public void close() {
        open.forEach(page -> page.context().close());
    }
}
