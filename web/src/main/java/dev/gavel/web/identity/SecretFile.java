package dev.gavel.web.identity;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;

/** Reads a secret from a file that only its owner may read, and creates the file if it is missing. Stateless. */
final class SecretFile {
    private SecretFile() {}

    /** Returns the content of the file; if there is no file, creates it with a new secret. */
    static String readOrCreate(Path file, Supplier<String> generator) throws IOException {
        if (!Files.exists(file)) {
            Path directory = Objects.requireNonNull(file.getParent());
            Files.createDirectories(directory, ownerOnly(directory, "rwx------"));
            // Write a temporary file and link it, so that no other process reads a partial file or overwrites an
            // existing one.
            Path tempFile = Files.createTempFile(
                    directory, file.getFileName().toString(), ".new", ownerOnly(directory, "rw-------"));
            try {
                Files.writeString(tempFile, generator.get() + "\n");
                link(file, tempFile);
            } catch (FileAlreadyExistsException e) {
                // Another process created it at the same time; its secret is as good as this one.
            } finally {
                Files.delete(tempFile);
            }
        }
        return Files.readString(file, StandardCharsets.UTF_8).strip();
    }

    private static void link(Path file, Path tempFile) throws IOException {
        try {
            Files.createLink(file, tempFile);
        } catch (UnsupportedOperationException e) {
            // The file system has no links: if two processes create the file at the same time, the last one wins.
            Files.copy(tempFile, file, StandardCopyOption.COPY_ATTRIBUTES);
        }
    }

    private static FileAttribute<?>[] ownerOnly(Path directory, String permissions) {
        Set<String> views = directory.getFileSystem().supportedFileAttributeViews();
        return views.contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }
}
