package dev.gavel.cli.sep;

import dev.gavel.cli.CommandException;
import dev.gavel.cli.ExitCode;
import dev.gavel.mcpx.text.SafeText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Resolves path arguments to a list of files: each named file, and the Markdown files below each named directory.
 * Stateless.
 */
final class MarkdownFileFinder {
    // Markdown files in directories of SEP documents that are not SEP documents.
    private static final Set<String> IGNORED_NAMES = Set.of("readme.md", "template.md");

    private MarkdownFileFinder() {}

    /** Returns named files as given, and all documents below a named directory in alphabetical order. */
    static List<Path> find(Path directory, List<Path> paths) {
        List<Path> files = new ArrayList<>();
        for (Path each : paths) {
            Path resolvedPath = directory.resolve(each);
            if (!Files.isDirectory(resolvedPath)) {
                files.add(each);
                continue;
            }
            try (Stream<Path> descendants = Files.walk(resolvedPath)) {
                descendants
                        .filter(file -> isMarkdown(file) && Files.isRegularFile(file))
                        .sorted()
                        .map(file -> each.resolve(resolvedPath.relativize(file)))
                        .forEach(files::add);
            } catch (IOException | UncheckedIOException e) {
                throw new CommandException(
                        ExitCode.USAGE, "cannot read the directory " + SafeText.line(each.toString()));
            }
        }
        if (files.isEmpty()) {
            throw new CommandException(ExitCode.USAGE, "no Markdown file (.md) was found");
        }
        return files;
    }

    private static boolean isMarkdown(Path file) {
        String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
        return name.endsWith(".md") && !IGNORED_NAMES.contains(name);
    }
}
