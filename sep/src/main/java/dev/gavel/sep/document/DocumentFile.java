package dev.gavel.sep.document;

import java.util.List;

/**
 * The path of a document, and the files beside it that contain its preamble. The format can require that the number,
 * the title or the preamble is read from these. Immutable.
 *
 * @param path the path; only its last two parts matter
 * @param preambles the content of the files beside it that contain its preamble
 */
public record DocumentFile(String path, List<String> preambles) {
    public DocumentFile {
        preambles = List.copyOf(preambles);
    }

    /** Returns the file with a path and without files beside it. */
    public static DocumentFile of(String path) {
        return new DocumentFile(path, List.of());
    }

    /** Returns the name of the directory; empty if the path has none. */
    String directory() {
        String normal = path.replace('\\', '/');
        int slash = normal.lastIndexOf('/');
        return slash < 0 ? "" : normal.substring(normal.lastIndexOf('/', slash - 1) + 1, slash);
    }
}
