package dev.gavel.app.console;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Base class of page tests: gives each test its own server and browser windows. */
abstract class BrowserTest {
    @TempDir
    protected Path data;

    protected ConsoleTestServer consoleTestServer;
    protected BrowserWindows windows;

    /** Configuration of the server in addition to that of all console tests: further topics, indented by two. */
    protected String extraConfig() {
        return "";
    }

    @BeforeEach
    void open() throws IOException {
        consoleTestServer = new ConsoleTestServer(data, extraConfig());
        windows = new BrowserWindows(ChromiumBrowser.shared(), consoleTestServer);
    }

    @AfterEach
    void close() throws IOException {
        windows.close();
        consoleTestServer.close();
    }
}
