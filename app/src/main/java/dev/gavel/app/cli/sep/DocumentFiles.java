package dev.gavel.app.cli.sep;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Documents in files and directories. Stateless. */
final class DocumentFiles {
    /** Nobody writes more; what follows is not read. */
    private static final int MOST = 4_000_000;

    private DocumentFiles() {}

    /** A document as it was found; what is no UTF-8 in it is replaced. */
    record Read(String text, Instant changed) {}

    /** The files that were named, and those with documents in directories that were, in the alphabet's order. */
    static List<Path> in(List<Path> named) throws IOException {
        List<Path> all = new ArrayList<>();
        for (Path each : named) {
            if (Files.isDirectory(each)) {
                try (Stream<Path> files = Files.walk(each)) {
                    files.filter(Files::isRegularFile)
                            .filter(file -> String.valueOf(file.getFileName())
                                    .toLowerCase(Locale.ROOT)
                                    .endsWith(".md"))
                            .sorted()
                            .forEach(all::add);
                }
            } else if (Files.exists(each)) {
                all.add(each);
            } else {
                throw new NoSuchFileException(each.toString());
            }
        }
        return all;
    }

    static Read read(Path file) throws IOException {
        try (InputStream stream = Files.newInputStream(file)) {
            return new Read(
                    new String(stream.readNBytes(MOST), UTF_8),
                    Files.getLastModifiedTime(file).toInstant());
        }
    }
}
