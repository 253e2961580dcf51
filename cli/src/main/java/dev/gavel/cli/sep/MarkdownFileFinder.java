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
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Resolves path arguments to a list of files: each named file, and the Markdown files below each named directory.
 *
 * <p>A link inside a named directory is followed only to files inside that directory, and a link in a named path only to
 * files and directories inside the directory that contains the link: the author of a document could otherwise have any
 * file that the user can read published. A name can come from a pattern of the shell, such as {@code seps/x*.md}.
 * Stateless.
 */
final class MarkdownFileFinder {
    // Markdown files in directories of SEP documents that are not SEP documents.
    private static final Set<String> IGNORED_NAMES = Set.of("readme.md", "template.md");

    private MarkdownFileFinder() {}

    /** Returns named files as given, and all documents below a named directory in alphabetical order. */
    static List<MarkdownFile> find(Path directory, List<Path> paths) {
        List<MarkdownFile> files = new ArrayList<>();
        for (Path each : paths) {
            Path resolvedPath = directory.resolve(each);
            if (!Files.exists(resolvedPath)) {
                files.add(new MarkdownFile(each, each.getFileName(), Optional.of(resolvedPath)));
                continue;
            }
            try {
                Path target = resolvedPath.toRealPath();
                if (leadsOut(directory, each)) {
                    files.add(new MarkdownFile(each, each.getFileName(), Optional.empty()));
                } else if (Files.isDirectory(target)) {
                    files.addAll(below(target, each));
                } else if (Files.isRegularFile(target)) {
                    files.add(new MarkdownFile(each, each.getFileName(), Optional.of(target)));
                } else {
                    // Reading a pipe or a device may never end.
                    throw new CommandException(
                            ExitCode.USAGE, SafeText.line(each.toString()) + " is not a regular file or a directory");
                }
            } catch (IOException | UncheckedIOException e) {
                throw new CommandException(
                        ExitCode.USAGE, "cannot read the file or directory " + SafeText.line(each.toString()));
            }
        }
        if (files.isEmpty()) {
            throw new CommandException(ExitCode.USAGE, "no Markdown file (.md) was found");
        }
        return files;
    }

    /** Whether a link in a named path leads out of the directory that contains the link. */
    private static boolean leadsOut(Path directory, Path named) throws IOException {
        Path path = named.isAbsolute() ? named.getRoot() : directory.toAbsolutePath();
        for (Path name : named) {
            Path parent = path;
            path = parent.resolve(name);
            if (Files.isSymbolicLink(path) && !path.toRealPath().startsWith(parent.toRealPath())) {
                return true;
            }
        }
        return false;
    }

    private static List<MarkdownFile> below(Path root, Path typed) throws IOException {
        List<MarkdownFile> files = new ArrayList<>();
        try (Stream<Path> descendants = Files.walk(root)) {
            for (Path file : descendants
                    .filter(file -> isMarkdown(file) && Files.isRegularFile(file))
                    .sorted()
                    .toList()) {
                Path target = file.toRealPath();
                files.add(new MarkdownFile(
                        typed.resolve(root.relativize(file)),
                        root.relativize(file),
                        target.startsWith(root) ? Optional.of(target) : Optional.empty()));
            }
        }
        return files;
    }

    private static boolean isMarkdown(Path file) {
        String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
        return name.endsWith(".md") && !IGNORED_NAMES.contains(name);
    }
}
