package dev.gavel.ledger.sqlite;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Creates files that only their owner can read and write. SQLite gives the files it makes beside a database the same
 * permissions.
 */
final class OwnerOnlyFiles {
    private static final Set<PosixFilePermission> OWNER = PosixFilePermissions.fromString("rw-------");

    private OwnerOnlyFiles() {}

    /** Makes the file if need be, and its permissions right either way, where the file system has such a thing. */
    static void create(Path file) throws IOException {
        boolean posix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
        try {
            if (posix) {
                Files.createFile(file, PosixFilePermissions.asFileAttribute(OWNER));
            } else {
                Files.createFile(file);
            }
        } catch (FileAlreadyExistsException e) {
            if (posix) {
                Files.setPosixFilePermissions(file, OWNER);
            }
        }
    }
}
