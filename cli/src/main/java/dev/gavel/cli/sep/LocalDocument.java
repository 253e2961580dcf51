package dev.gavel.cli.sep;

import dev.gavel.lifecycle.process.DocumentFormat;
import dev.gavel.sep.document.Document;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A document that a command found at the paths that the user named.
 *
 * @param name the path to show, relative to the working directory as typed
 * @param path the path below the directory that the user named, or the name of the file that the user named
 * @param source the file to read; empty if the name is a link that leads out of its directory, or out of the directory
 *     that the user named
 */
record LocalDocument(Path name, Path path, Optional<Path> source) {
    static final String OUTSIDE = "the link leads out of the directory, so its target is not read";
    static final String OUTSIDE_HELP = "replace the link by a copy of the file, or name the target of the link";

    /** Returns the file beside the document that contains its preamble; empty if there is none. It is not a link. */
    Optional<Path> sideFile(DocumentFormat format) {
        return source.flatMap(document -> format.files().preambleFiles().stream()
                .map(document::resolveSibling)
                .filter(side -> Files.isRegularFile(side, LinkOption.NOFOLLOW_LINKS))
                .findFirst());
    }

    /** Reads a side file. */
    static String readSideFile(Path side) throws IOException {
        if (Files.size(side) > Document.MAX_LENGTH) {
            throw new IOException(side.getFileName() + " is too long");
        }
        return Files.readString(side, StandardCharsets.UTF_8);
    }
}
