package dev.gavel.app.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * Reads, writes and deletes files in one directory, and refuses paths and symbolic links that lead out of it. It
 * assumes that no other program creates links in the directory at the same time. Not thread-safe.
 */
public final class FileSandbox {
    /** The directory of deleted files. */
    public static final String TRASH = ".trash";

    private static final int MAX_BYTES = 256 * 1024;
    private static final int MAX_FILES = 1000;
    private static final int MAX_PATH = 500;

    private final Path root;

    /** The reason why an operation is not possible, worded for the caller of the tool. */
    static final class SandboxException extends Exception {
        SandboxException(String message) {
            super(message);
        }
    }

    /**
     * An existing file.
     *
     * @param path the path as tools accept it
     */
    record Entry(String path, long size) {}

    /** Creates a sandbox for an existing directory. */
    public FileSandbox(Path directory) throws IOException {
        this.root = directory.toRealPath();
    }

    /**
     * Returns the files sorted by name, without the deleted ones.
     *
     * @param continueAfter receives the number of files found so far and returns whether to continue
     */
    List<Entry> list(IntPredicate continueAfter) throws IOException {
        List<Entry> found = new ArrayList<>();
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                return isTrash(root.relativize(directory)) ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (attributes.isRegularFile()) {
                    found.add(new Entry(name(file), attributes.size()));
                }
                return found.size() < MAX_FILES && continueAfter.test(found.size())
                        ? FileVisitResult.CONTINUE
                        : FileVisitResult.TERMINATE;
            }
        });
        found.sort(Comparator.comparing(Entry::path));
        return found;
    }

    /** Returns the text of a file. */
    String read(String path) throws IOException, SandboxException {
        Path file = resolveExisting(path);
        byte[] bytes;
        try (var in = Files.newInputStream(file, NOFOLLOW_LINKS)) {
            bytes = in.readNBytes(MAX_BYTES + 1);
        }
        if (bytes.length > MAX_BYTES) {
            throw new SandboxException(
                    "'" + path + "' is too large to read: at most " + MAX_BYTES + " bytes are allowed.");
        }
        try {
            return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException e) {
            throw new SandboxException("'" + path + "' is not UTF-8 text.");
        }
    }

    /** Writes a text to a file; returns whether the file existed before. */
    boolean write(String path, String text) throws IOException, SandboxException {
        Path file = resolve(path);
        byte[] bytes = text.getBytes(UTF_8);
        if (bytes.length > MAX_BYTES) {
            throw new SandboxException("the text for '" + path + "' has " + bytes.length + " bytes; at most "
                    + MAX_BYTES + " are allowed.");
        }
        boolean replaced = Files.exists(file, NOFOLLOW_LINKS);
        if (replaced && !Files.isRegularFile(file, NOFOLLOW_LINKS)) {
            throw new SandboxException("'" + path + "' is not a file. Choose another path.");
        }
        if (!replaced && list(_ -> true).size() >= MAX_FILES) {
            throw new SandboxException("there are already " + MAX_FILES + " files. Delete some first.");
        }
        for (Path above = root.relativize(file).getParent(); above != null; above = above.getParent()) {
            if (Files.exists(root.resolve(above)) && !Files.isDirectory(root.resolve(above))) {
                throw new SandboxException("'" + above + "' is a file, not a directory.");
            }
        }
        Files.createDirectories(parent(file));
        // A concurrent reader sees the old text or the new one, never part of one. The name is unique because
        // everything else in the trash is a deleted file.
        Path draft = Files.createTempFile(trash(), "draft-", ".tmp");
        try {
            Files.write(draft, bytes);
            Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(draft);
        }
        return replaced;
    }

    /** Moves a file into the trash and returns its new path. */
    String delete(String path) throws IOException, SandboxException {
        Path file = resolveExisting(path);
        String name = name(file).replace('/', '_');
        Path target = trash().resolve(name);
        for (int copy = 2; Files.exists(target, NOFOLLOW_LINKS); copy++) {
            target = trash().resolve(name + "." + copy);
        }
        Files.move(file, target);
        return name(target);
    }

    private Path trash() throws IOException, SandboxException {
        Path trash = root.resolve(TRASH);
        if (Files.isSymbolicLink(trash)) {
            throw new SandboxException(
                    "'" + TRASH + "' is a symbolic link, which can lead out of the sandbox. Remove it manually.");
        }
        return Files.createDirectories(trash);
    }

    private Path resolveExisting(String path) throws SandboxException {
        Path file = resolve(path);
        if (!Files.exists(file, NOFOLLOW_LINKS)) {
            throw new SandboxException("the file '" + path + "' does not exist. Call list_files to see all files.");
        }
        if (!Files.isRegularFile(file, NOFOLLOW_LINKS)) {
            throw new SandboxException("'" + path + "' is not a file. Call list_files to see all files.");
        }
        return file;
    }

    private Path resolve(String path) throws SandboxException {
        if (path.isBlank() || path.length() > MAX_PATH) {
            throw new SandboxException("'path' must have 1 to " + MAX_PATH + " characters.");
        }
        Path relative;
        try {
            relative = Path.of(path);
        } catch (InvalidPathException e) {
            throw new SandboxException("'path' contains a character that is not allowed in file names.");
        }
        if (relative.isAbsolute()) {
            throw new SandboxException("'" + path + "' must be relative to the sandbox, such as notes/todo.txt.");
        }
        Path current = root;
        for (Path part : relative) {
            if (part.toString().equals("..")) {
                throw new SandboxException("'" + path + "' must not contain '..', which can lead out of the sandbox.");
            }
            current = current.resolve(part).normalize();
            if (Files.isSymbolicLink(current)) {
                throw new SandboxException(
                        "'" + path + "' contains a symbolic link, which can lead out of the sandbox.");
            }
        }
        if (current.equals(root)) {
            throw new SandboxException("'" + path + "' is the sandbox itself, not a file in it.");
        }
        if (isTrash(root.relativize(current))) {
            throw new SandboxException("files in '" + TRASH + "' are deleted. Restore them manually.");
        }
        return current;
    }

    /** Ignores case, for file systems that do. */
    private static boolean isTrash(Path relative) {
        return relative.getName(0).toString().equalsIgnoreCase(TRASH);
    }

    private Path parent(Path file) {
        Path parent = file.getParent();
        return parent == null ? root : parent;
    }

    private String name(Path file) {
        return root.relativize(file).toString().replace('\\', '/');
    }
}
