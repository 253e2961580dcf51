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

    /** What the file says; where there is none, it is made to say something new. */
    static String readOrCreate(Path file, Supplier<String> fresh) throws IOException {
        if (!Files.exists(file)) {
            Path directory = Objects.requireNonNull(file.getParent());
            Files.createDirectories(directory, ownerOnly(directory, "rwx------"));
            // Written aside and linked, so that no other process ever reads it half written or overwrites it.
            Path aside = Files.createTempFile(
                    directory, file.getFileName().toString(), ".new", ownerOnly(directory, "rw-------"));
            try {
                Files.writeString(aside, fresh.get() + "\n");
                link(file, aside);
            } catch (FileAlreadyExistsException e) {
                // Another process made it in the same moment: what it says is as good as ours.
            } finally {
                Files.delete(aside);
            }
        }
        return Files.readString(file, StandardCharsets.UTF_8).strip();
    }

    private static void link(Path file, Path aside) throws IOException {
        try {
            Files.createLink(file, aside);
        } catch (UnsupportedOperationException e) {
            // A file system without links: then the last of two that come in the same moment wins.
            Files.copy(aside, file, StandardCopyOption.COPY_ATTRIBUTES);
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
