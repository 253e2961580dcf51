package dev.gavel.sep.board;

import java.io.IOException;

/** Receives the files of a static board. */
@FunctionalInterface
public interface BoardSink {
    /**
     * Writes one file.
     *
     * @param path the file's path in the site, with slashes, such as {@code seps/1286.html}; no path is written twice
     */
    void write(String path, String content) throws IOException;
}
