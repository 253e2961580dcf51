package dev.gavel.ledger;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** Creates data directories that only their owner can list. Stateless. */
public final class OwnerOnlyDirectory {
    private OwnerOnlyDirectory() {}

    /**
     * Creates the directory, and those around it, if they are missing. Does not change the permissions of a directory
     * that exists: an operator may have chosen them.
     */
    public static void create(Path directory) throws IOException {
        if (directory.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            Files.createDirectories(
                    directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } else {
            Files.createDirectories(directory);
        }
    }
}
