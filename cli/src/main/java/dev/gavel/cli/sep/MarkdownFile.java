package dev.gavel.cli.sep;

import java.nio.file.Path;
import java.util.Optional;

/**
 * A Markdown file that a command found at the paths that the user named.
 *
 * @param name the path to show, relative to the working directory as typed
 * @param path the path below the directory that the user named, or the name of the file that the user named
 * @param source the file to read; empty if the name is a link that leads out of its directory, or out of the directory
 *     that the user named
 */
record MarkdownFile(Path name, Path path, Optional<Path> source) {
    static final String OUTSIDE = "the link leads out of the directory, so its target is not read";
    static final String OUTSIDE_HELP = "replace the link by a copy of the file, or name the target of the link";
}
