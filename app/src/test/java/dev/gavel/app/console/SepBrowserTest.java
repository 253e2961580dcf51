package dev.gavel.app.console;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Base class of SEP page tests: one server for all tests of a class, because each test uses its own SEP. */
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
