package dev.gavel.app.command;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Opens a URL in the user's browser. The URL is not on a command line, where other programs of the machine could read
 * it: the browser opens a page that only the user can read, and this page leads to the URL. Stateless.
 */
final class BrowserLauncher {
    private static final String PAGE = "console.html";

    private BrowserLauncher() {}

    /**
     * Opens the URL.
     *
     * @param directory the directory for the page
     */
    static void open(Path directory, URI url) throws IOException {
        Path page = directory.resolve(PAGE).toAbsolutePath();
        String address = url.toString().replace("&", "&amp;").replace("\"", "&quot;");
        try (AtomicOutputFile file = AtomicOutputFile.create(page)) {
            file.stream()
                    .write(("<!doctype html><meta charset=\"utf-8\"><title>Gavel</title>"
                                    + "<meta name=\"referrer\" content=\"no-referrer\">"
                                    + "<meta http-equiv=\"refresh\" content=\"0; url=" + address + "\">"
                                    + "<a href=\"" + address + "\">Open the console</a>\n")
                            .getBytes(StandardCharsets.UTF_8));
            file.commit();
        }
        new ProcessBuilder(command(page))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static List<String> command(Path page) {
        String system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        if (system.contains("mac")) {
            return List.of("open", page.toString());
        }
        return system.contains("windows")
                ? List.of(
                        "rundll32", "url.dll,FileProtocolHandler", page.toUri().toString())
                : List.of("xdg-open", page.toString());
    }
}
