package dev.gavel.app.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.BoundingBox;
import com.microsoft.playwright.options.ColorScheme;
import dev.gavel.app.command.GavelCommands;
import dev.gavel.cli.CommandEnvironment;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the static site of {@code gavel sep board}, opened from disk in a real browser. */
class StaticBoardTest {
    @TempDir
    static Path directory;

    private static ChromiumBrowser browser;
    private static Path site;

    private final List<String> console = new ArrayList<>();
    private final List<String> externalRequests = new ArrayList<>();

    @BeforeAll
    static void write() throws IOException {
        Path documents = Files.createDirectories(directory.resolve("documents"));
        site = directory.resolve("site");
        Files.writeString(documents.resolve("12-cursors.md"), """
                # SEP-12: Cursors for every list

                - **Status**: Draft
                - **Type**: Standards Track
                - **Created**: 2026-01-10
                - **Author(s)**: Ann (@ann)
                - **Sponsor**: @bea

                ## Abstract

                Lists get a cursor. <script>document.title = "owned"</script>
                <img src="https://elsewhere.example/pixel.png" onerror="document.title = 'owned'">
                [a link](javascript:alert(1))

                ## Motivation

                | a long table | with columns | that do not | fit on | a phone |
                |---|---|---|---|---|
                | aaaaaaaaaaaaaaaaaaaaa | bbbbbbbbbbbbbbbbbbbbbbb | ccccccccccccccccc | dddddddddddddd | e |

                ```
                %s
                ```
                """.formatted("a very long line of code ".repeat(20)));
        Files.writeString(documents.resolve("14-nested.md"), """
                # SEP-14: Nested text

                - **Status**: Draft
                - **Created**: 2026-02-01
                - **Author(s)**: @ada
                - **Sponsor**: @bea

                ## Abstract

                %sDeep words.

                %sRemoves authentication.%s

                <small><small><small>Small words.</small></small></small>
                """.formatted(
                        "> ".repeat(60), "<dl><dd>".repeat(5) + "<pre>", "</pre>" + "</dd></dl>".repeat(5)));
        Files.writeString(documents.resolve("13-other.md"), """
                # SEP-13: Something else

                - **Status**: Final
                - **Created**: 2025-11-02
                - **Author(s)**: @zoe
                """);
        browser = new ChromiumBrowser();
        StringWriter out = new StringWriter();
        int exit = GavelCommands.run(
                CommandEnvironment.ofProcess(),
                new PrintWriter(out),
                new PrintWriter(out),
                "sep",
                "board",
                "--html",
                site.toString(),
                "--as-of",
                "2026-03-01",
                documents.toString());
        assertThat(exit).as(out.toString()).isZero();
    }

    @AfterAll
    static void close() {
        browser.close();
    }

    private Page open(int width, ColorScheme theme) {
        Page page = browser.window(width, theme);
        page.onConsoleMessage(message -> console.add(message.type() + ": " + message.text()));
        page.onPageError(console::add);
        page.onRequest(request -> {
            if (!request.url().startsWith("file:")) {
                externalRequests.add(request.url());
            }
        });
        page.navigate(site.resolve("index.html").toUri().toString());
        return page;
    }

    @Test
    void nestingNeitherMovesTextOutOfTheDocumentNorMakesItUnreadable() {
        for (int width : new int[] {1_200, 360}) {
            try (Page page = open(width, ColorScheme.LIGHT)) {
                page.locator("a", new Page.LocatorOptions().setHasText("Nested text"))
                        .click();
                BoundingBox document = page.locator(".text").boundingBox();
                for (String words : new String[] {"Deep words.", "Removes authentication.", "Small words."}) {
                    BoundingBox box = page.getByText(words).boundingBox();
                    assertThat(box.x).as(words).isBetween(document.x, document.x + document.width - 60);
                    assertThat(box.width).as(words).isGreaterThan(50);
                    assertThat(box.height).as(words).isGreaterThan(10);
                }
                assertThat(page.locator(".text")).hasCSS("overflow-x", "auto");
                assertThat(page.getByText("Small words.")).hasCSS("font-size", "12.8px");
            }
        }
    }

    @Test
    void itOpensFromTheDiskAndLeadsFromPageToPage() {
        try (Page page = open(1_200, ColorScheme.LIGHT)) {
            assertThat(page.locator("h1")).hasText("Proposals");
            assertThat(page.locator("#state-draft")).containsText("draft");
            assertThat(page.locator("body")).hasCSS("background-color", "rgb(246, 246, 244)");
            page.locator("a", new Page.LocatorOptions().setHasText("Cursors for every list"))
                    .click();
            assertThat(page.locator("h1")).hasText("Cursors for every list");
            assertThat(page.locator(".guidance")).containsText("bea");
            assertThat(page.locator(".rail .here")).containsText("draft");
            assertThat(page.locator(".text h3").first()).hasText("Abstract");
            page.locator("nav a", new Page.LocatorOptions().setHasText("Statistics"))
                    .click();
            assertThat(page.locator("svg.chart[role=img]").first()).isVisible();
            page.locator("nav a", new Page.LocatorOptions().setHasText("Pending actions"))
                    .click();
            assertThat(page.locator("h2").first()).containsText("bea");
        }
        assertThat(console).isEmpty();
        assertThat(externalRequests).isEmpty();
    }

    @Test
    void nothingADocumentTriesRunsOrLoads() {
        try (Page page = open(1_200, ColorScheme.LIGHT)) {
            page.navigate(site.resolve("seps/12.html").toUri().toString());
            assertThat(page).hasTitle("SEP-12: Cursors for every list – Proposals");
            assertThat(page.locator("script")).hasCount(0);
            assertThat(page.locator("a[href^=javascript]")).hasCount(0);
        }
        assertThat(externalRequests).isEmpty();
    }

    @Test
    void onAPhoneInTheDarkNothingIsCutOff() {
        try (Page page = open(390, ColorScheme.DARK)) {
            for (String file : new String[] {"index.html", "seps/12.html", "stats.html", "whose.html"}) {
                page.navigate(site.resolve(file).toUri().toString());
                assertThat(page.locator("body")).hasCSS("background-color", "rgb(20, 21, 26)");
                Object wide = page.evaluate("document.documentElement.scrollWidth - window.innerWidth");
                assertThat(((Number) wide).intValue()).as(file).isNotPositive();
            }
        }
        assertThat(console).isEmpty();
    }

    @Test
    void theFirstThingAKeyboardReachesSkipsToTheContent() {
        try (Page page = open(1_200, ColorScheme.LIGHT)) {
            page.keyboard().press("Tab");
            assertThat(page.locator(":focus")).hasText("Skip to content");
            page.keyboard().press("Enter");
            assertThat(page.locator(":focus")).hasAttribute("id", "main");
        }
    }
}
