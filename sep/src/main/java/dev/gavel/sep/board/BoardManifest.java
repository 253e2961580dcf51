package dev.gavel.sep.board;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.regex.Pattern;

/** Reads and writes the list of a board's own files, so that a new board replaces or deletes only those. Stateless. */
final class BoardManifest {
    static final String FILE = ".gavel-board";

    private static final String FIRST = "gavel board 1";

    /** The syntax of every path that a board writes. Other lines of a manifest are ignored. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*(?:/[A-Za-z0-9][A-Za-z0-9._-]*)*");

    private BoardManifest() {}

    static boolean isValidPath(String path) {
        return NAME.matcher(path).matches();
    }

    /** Returns the files of the board in a directory; empty if the directory contains no board. */
    static Optional<SequencedSet<String>> read(Path directory) throws IOException {
        Path file = directory.resolve(FILE);
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        List<String> lines = Files.readAllLines(file);
        if (lines.isEmpty() || !lines.getFirst().equals(FIRST)) {
            return Optional.empty();
        }
        SequencedSet<String> files = new LinkedHashSet<>();
        lines.stream().skip(1).filter(BoardManifest::isValidPath).forEach(files::add);
        return Optional.of(files);
    }

    static void write(Path directory, Collection<String> files) throws IOException {
        Path next = directory.resolve(FILE + ".next");
        Files.writeString(next, FIRST + "\n" + String.join("\n", files) + "\n");
        Files.move(next, directory.resolve(FILE), StandardCopyOption.REPLACE_EXISTING);
    }
}
