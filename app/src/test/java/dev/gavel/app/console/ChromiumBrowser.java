package dev.gavel.app.console;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.ColorScheme;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Starts a real Chromium for page tests. The tests fail if none is installed, because no other test checks that pages
 * work.
 */
final class ChromiumBrowser implements AutoCloseable {
    private static final double PATIENCE_MILLIS = 15_000;

    private static @Nullable ChromiumBrowser shared;

    private final Playwright playwright;
    private final com.microsoft.playwright.Browser chromium;

    ChromiumBrowser() {
        Path program = Stream.of("chromium", "chromium-browser", "google-chrome")
                .flatMap(name ->
                        Stream.of("/usr/bin/", "/usr/local/bin/", "/snap/bin/").map(place -> Path.of(place + name)))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new AssertionError(
                        "no Chromium is installed, and pages are tested in a real one: run ./check, or apt-get install"
                                + " chromium"));
        PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE_MILLIS);
        playwright = Playwright.create(
                new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
        chromium = playwright
                .chromium()
                .launch(new BrowserType.LaunchOptions()
                        .setExecutablePath(program)
                        .setArgs(List.of(
                                "--no-sandbox",
                                "--disable-gpu",
                                "--disable-quic",
                                "--no-first-run",
                                "--disable-background-networking",
                                "--disable-component-update",
                                "--disable-sync")));
    }

    /**
     * The browser that all tests of a process share, because starting one takes as long as a test. They share only the
     * program: each window has its own cookies and pages, and its test closes it. The browser ends with the process,
     * which holds the other end of its pipe.
     */
    static synchronized ChromiumBrowser shared() {
        if (shared == null || !shared.chromium.isConnected()) {
            shared = new ChromiumBrowser();
        }
        return shared;
    }

    /** Opens a window with its own cookies. */
    Page window() {
        return window(new com.microsoft.playwright.Browser.NewContextOptions());
    }

    /** Opens a window in which no script runs. */
    Page windowWithoutScripts() {
        return window(new com.microsoft.playwright.Browser.NewContextOptions().setJavaScriptEnabled(false));
    }

    /** Opens a window of a given width and theme. */
    Page window(int width, ColorScheme theme) {
        return window(new com.microsoft.playwright.Browser.NewContextOptions()
                .setViewportSize(width, 800)
                .setColorScheme(theme));
    }

    /** Opens a narrow window with a touch screen. */
    Page windowWithTouch() {
        return window(new com.microsoft.playwright.Browser.NewContextOptions()
                .setViewportSize(390, 800)
                .setHasTouch(true)
                .setIsMobile(true));
    }

    private Page window(com.microsoft.playwright.Browser.NewContextOptions options) {
        BrowserContext context = chromium.newContext(options);
        context.setDefaultTimeout(PATIENCE_MILLIS);
        return context.newPage();
    }

    @Override
    public void close() {
        chromium.close();
        playwright.close();
    }
}
