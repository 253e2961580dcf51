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

    protected static House house;
    protected static SepHouse seps;

    protected Windows windows;

    @BeforeAll
    static void start() throws IOException {
        house = new House(data);
        seps = new SepHouse(house);
    }

    @AfterAll
    static void end() throws IOException {
        house.close();
    }

    @BeforeEach
    void open() {
        windows = new Windows(Browser.shared(), house);
    }

    @AfterEach
    void close() {
        windows.close();
    }
}
