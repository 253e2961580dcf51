package dev.gavel.sep.board;

import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Writes the files of a static board to a staging directory and moves them into the target directory when the board is
 * complete. The staging directory is beside the target directory, so a run that fails or is stopped changes nothing in
 * the target. On completion the files are renamed into place one by one, in the order of writing, so a reader finds
 * complete pages at any moment. Files that no board wrote are neither replaced nor deleted. Not thread-safe.
 */
public final class BoardDirectorySink implements BoardFileSink, AutoCloseable {
    private final Path directory;
    private final Path stagingDirectory;
    private final SequencedSet<String> previousFiles;
    private final SequencedSet<String> writtenFiles = new LinkedHashSet<>();

    private BoardDirectorySink(Path directory, Path staging, SequencedSet<String> previousBoard) {
        this.directory = directory;
        this.stagingDirectory = staging;
        this.previousFiles = previousBoard;
    }

    /**
     * Opens a sink for a directory and creates its staging directory.
     *
     * @throws BoardOutputDirectoryException if the directory has files and contains no board
     */
    public static BoardDirectorySink open(Path directory) throws IOException {
        if (Files.exists(directory) && !Files.isDirectory(directory)) {
            throw new BoardOutputDirectoryException(directory + " is a file. Choose a directory");
        }
        Path target = Files.exists(directory)
                ? directory.toRealPath()
                : directory.toAbsolutePath().normalize();
        Path parent = target.getParent();
        if (parent == null) {
            throw new BoardOutputDirectoryException(
                    directory + " is the root of the file system. Choose another directory");
        }
        Optional<SequencedSet<String>> previousBoard = BoardManifest.read(target);
        if (previousBoard.isEmpty() && Files.exists(target) && hasFiles(target)) {
            throw new BoardOutputDirectoryException(
                    directory + " contains files that do not belong to a board. Choose an empty or new directory");
        }
        Files.createDirectories(parent);
        Path staging = Files.createTempDirectory(parent, "." + target.getFileName() + "-");
        return new BoardDirectorySink(target, staging, previousBoard.orElseGet(LinkedHashSet::new));
    }

    /** Whether the directory has files that are not hidden. Hidden files, such as those of a checkout, are harmless. */
    private static boolean hasFiles(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.anyMatch(file -> !String.valueOf(file.getFileName()).startsWith("."));
        }
    }

    @Override
    public void write(String path, String content) throws IOException {
        if (!BoardManifest.isValidPath(path) || !writtenFiles.add(path)) {
            throw new IllegalArgumentException("Invalid or duplicate path of a board file: " + path);
        }
        Path file = stagingDirectory.resolve(path);
        Files.createDirectories(file.resolveSibling("."));
        Files.writeString(file, content);
    }

    /**
     * Replaces the previous board in the target directory by the files written so far.
     *
     * @throws BoardOutputDirectoryException if a file that no board wrote is in the way; nothing is changed then
     */
    public void complete() throws IOException {
        for (String path : writtenFiles) {
            refuseForeignFile(path);
        }
        Files.createDirectories(directory);
        SequencedSet<String> allFiles = new LinkedHashSet<>(previousFiles);
        allFiles.addAll(writtenFiles);
        // The manifest lists the new files before they are moved: if this run is cut short, the next run may replace
        // them all.
        BoardManifest.write(directory, allFiles);
        for (String path : writtenFiles) {
            Path file = directory.resolve(path);
            Files.createDirectories(file.resolveSibling("."));
            move(stagingDirectory.resolve(path), file);
        }
        for (String path : previousFiles) {
            if (!writtenFiles.contains(path)) {
                delete(path);
            }
        }
        BoardManifest.write(directory, writtenFiles);
    }

    private void refuseForeignFile(String path) throws BoardOutputDirectoryException {
        Path file = directory.resolve(path);
        if (!previousFiles.contains(path) && Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new BoardOutputDirectoryException(
                    file + " is in the way and does not belong to a board. Move it, or choose another directory");
        }
        for (Path ancestor = file.getParent();
                ancestor != null && !ancestor.equals(directory);
                ancestor = ancestor.getParent()) {
            // Through a symbolic link the board would write outside its directory.
            if (Files.isSymbolicLink(ancestor)
                    || (Files.exists(ancestor) && !Files.isDirectory(ancestor, LinkOption.NOFOLLOW_LINKS))) {
                throw new BoardOutputDirectoryException(ancestor
                        + " is in the way: the board needs a directory there. Move it, or choose another directory");
            }
        }
    }

    private static void move(Path from, Path to) throws IOException {
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException e) {
            // The target directory is on another file system than its parent.
            Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private void delete(String path) throws IOException {
        Path file = directory.resolve(path);
        if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            Files.delete(file);
        }
        Path ancestor = file.getParent();
        if (ancestor != null && !ancestor.equals(directory) && Files.isDirectory(ancestor, LinkOption.NOFOLLOW_LINKS)) {
            try {
                Files.delete(ancestor);
            } catch (DirectoryNotEmptyException _) {
                // The directory still holds other files, of this board or of another owner.
            }
        }
    }

    /** Deletes the staging directory, whether the board was completed or not. */
    @Override
    public void close() throws IOException {
        Files.walkFileTree(stagingDirectory, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure) throws IOException {
                Files.delete(visited);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
