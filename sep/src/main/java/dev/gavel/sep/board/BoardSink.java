package dev.gavel.sep.board;

import java.io.IOException;

/** Receives the files of a static board. */
@FunctionalInterface
public interface BoardSink {
    /**
     * Takes a file.
     *
     * @param path where it is in the site, with slashes, such as {@code seps/1286.html}; none is given twice
     */
    void write(String path, String content) throws IOException;
}
