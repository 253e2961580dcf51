package dev.gavel.app.console;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** What tests of SEPs' pages begin with: one house for all of a class, since each has a SEP of its own. */
abstract class SepBrowserTest {
    @TempDir
    private static Path data;

    protected static ConsoleTestServer consoleTestServer;
    protected static SepTestData seps;

    protected BrowserWindows windows;

    @BeforeAll
    static void start() throws IOException {
        consoleTestServer = new ConsoleTestServer(data);
        seps = new SepTestData(consoleTestServer);
    }

    @AfterAll
    static void end() throws IOException {
        consoleTestServer.close();
    }

    @BeforeEach
    void open() {
        windows = new BrowserWindows(ChromiumBrowser.shared(), consoleTestServer);
    }

    @AfterEach
    void close() {
        windows.close();
    }
}
