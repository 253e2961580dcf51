package dev.gavel.app.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Takes the pictures in {@code docs/images} from the running demo, for the script {@code docs/screenshots}. */
public final class Screenshots {
    private static final int WIDE = 1100;
    private static final int PHONE = 390;

    private Screenshots() {}

    /**
     * Takes the screenshots.
     *
     * @param args the output directory
     */
    public static void main(String[] args) throws IOException {
        Path images = Files.createDirectories(Path.of(args[0]));
        Path data = Files.createTempDirectory("gavel-pictures-");
        try (DemoProcess demoProcess = new DemoProcess(data.resolve("demo"));
                ChromiumBrowser browser = new ChromiumBrowser()) {
            Page page = browser.window(WIDE, ColorScheme.LIGHT);
            page.navigate(demoProcess.link());
            Locator card = page.locator("#inbox article");
            assertThat(card).containsText("destructive");
            assertThat(page.locator("#seps article")).hasCount(2);
            take(page, images, "inbox");
            card.getByText("Edit…").click();
            page.locator("textarea.code").fill("{\n  \"path\": \"drafts/plan.txt\"\n}");
            assertThat(page.locator(".difference .added")).isVisible();
            take(page, images, "editing");

            Page phone = browser.window(PHONE, ColorScheme.DARK);
            phone.context()
                    .addCookies(page.context().cookies().stream()
                            .map(cookie -> cookie.setUrl(null))
                            .toList());
            phone.navigate(demoProcess.url("/"));
            assertThat(phone.locator("#inbox article")).containsText("destructive");
            take(phone, images, "inbox-phone");

            for (List<String> shot : List.of(
                    List.of("/console/topics/demo", "topic"),
                    List.of("/console/seps", "board"),
                    List.of("/console/seps/2", "sep"),
                    List.of("/console/admin", "administration"))) {
                page.navigate(demoProcess.url(shot.getFirst()));
                take(page, images, shot.getLast());
            }
        } finally {
            remove(data);
        }
    }

    private static void take(Page page, Path images, String name) {
        // Resources that the build did not filter contain placeholders such as that of the version.
        assertThat(page.locator("body")).not().containsText("${");
        page.screenshot(new Page.ScreenshotOptions().setPath(images.resolve(name + ".png")));
    }

    private static void remove(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
