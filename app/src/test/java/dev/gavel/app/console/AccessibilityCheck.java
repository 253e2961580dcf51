package dev.gavel.app.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Checks a page with axe for barriers to people who use a keyboard or a screen reader. */
final class AccessibilityCheck {
    private static final String FILE = "interop/node_modules/axe-core/axe.min.js";

    private AccessibilityCheck() {}

    /** Fails if axe finds a problem. */
    @SuppressWarnings("unchecked")
    static void assertNoProblems(Page page) {
        // The page's content security policy blocks foreign scripts, so the browser's debugging protocol injects this
        // one.
        page.evaluate(script());
        List<String> found = (List<String>) page.evaluate("""
                async () => (await axe.run(document, {resultTypes: ["violations"]})).violations.map(
                    (found) => found.id + ": " + found.help + " -- "
                        + found.nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(" | "))
                """);
        assertThat(found).as("what axe finds on " + page.url()).isEmpty();
    }

    private static String script() {
        try {
            return Files.readString(Stream.of(Path.of(FILE), Path.of("..", FILE))
                    .filter(Files::exists)
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("axe-core is not installed: run ./check")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
