package dev.gavel.cli.sep;

import dev.gavel.cli.CommandException;
import dev.gavel.cli.ExitCode;
import dev.gavel.lifecycle.process.DocumentFormat.FileRules;
import dev.gavel.lifecycle.process.FilePattern;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.sep.process.BuiltInProcesses;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Resolves path arguments to a list of files: each named file, and the documents below each named directory.
 *
 * <p>A link inside a named directory is followed only to files inside that directory, and a link in a named path only to
 * files and directories inside the directory that contains the link: the author of a document could otherwise have any
 * file that the user can read published. A name can come from a pattern of the shell, such as {@code seps/x*.md}.
 * Stateless.
 */
final class LocalDocumentFinder {
    private LocalDocumentFinder() {}

    /** Returns named files as given, and all documents of the default format below a named directory. */
    static List<LocalDocument> find(Path directory, List<Path> paths) {
        return find(
                directory,
                paths,
                BuiltInProcesses.defaultProcess().documentFormat().files());
    }

    /** Returns named files as given, and all documents below a named directory in alphabetical order. */
    static List<LocalDocument> find(Path directory, List<Path> paths, FileRules rules) {
        List<LocalDocument> files = new ArrayList<>();
        for (Path each : paths) {
            Path resolvedPath = directory.resolve(each);
            if (!Files.exists(resolvedPath)) {
                files.add(new LocalDocument(each, each.getFileName(), Optional.of(resolvedPath)));
                continue;
            }
            try {
                Path target = resolvedPath.toRealPath();
                if (leadsOut(directory, each)) {
                    files.add(new LocalDocument(each, each.getFileName(), Optional.empty()));
                } else if (Files.isDirectory(target)) {
                    files.addAll(below(target, each, rules));
                } else if (Files.isRegularFile(target)) {
                    files.add(new LocalDocument(each, each.getFileName(), Optional.of(target)));
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
            throw new CommandException(ExitCode.USAGE, "no document was found (" + describe(rules) + ")");
        }
        return files;
    }

    private static String describe(FileRules rules) {
        return rules.documents().stream().map(FilePattern::pattern).collect(Collectors.joining(", "));
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

    private static List<LocalDocument> below(Path root, Path typed, FileRules rules) throws IOException {
        List<LocalDocument> files = new ArrayList<>();
        try (Stream<Path> descendants = Files.walk(root)) {
            for (Path file : descendants
                    .filter(file -> rules.isDocument(file.toString()) && Files.isRegularFile(file))
                    .sorted()
                    .toList()) {
                Path target = file.toRealPath();
                files.add(new LocalDocument(
                        typed.resolve(root.relativize(file)),
                        root.relativize(file),
                        target.startsWith(root) ? Optional.of(target) : Optional.empty()));
            }
        }
        return files;
    }
}
