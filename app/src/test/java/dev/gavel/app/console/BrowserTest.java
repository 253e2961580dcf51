package dev.gavel.app.console;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** What tests of pages begin with: a house of their own, and windows in which somebody looks at it. */
abstract class BrowserTest {
    @TempDir
    protected Path data;

    protected ConsoleTestServer consoleTestServer;
    protected BrowserWindows windows;

    @BeforeEach
    void open() throws IOException {
        consoleTestServer = new ConsoleTestServer(data);
        windows = new BrowserWindows(ChromiumBrowser.shared(), consoleTestServer);
    }

    @AfterEach
    void close() throws IOException {
        windows.close();
        consoleTestServer.close();
    }
}
