package dev.gavel.sep.board;

import java.io.IOException;

/** Stores the files of the static board, a website of HTML pages about SEPs. */
@FunctionalInterface
public interface BoardFileSink {
    /**
     * Writes one file.
     *
     * @param path the file's path in the site, with slashes, such as {@code seps/1286.html}; no path is written twice
     */
    void write(String path, String content) throws IOException;
}
