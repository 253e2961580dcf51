package dev.gavel.ledger.sqlite;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Creates files that only their owner can read and write. SQLite gives the files that it creates beside a database the
 * same permissions.
 */
final class OwnerOnlyFiles {
    private static final Set<PosixFilePermission> OWNER = PosixFilePermissions.fromString("rw-------");

    private OwnerOnlyFiles() {}

    /**
     * Creates the file if it is missing and sets its permissions in either case, if the file system supports POSIX
     * permissions.
     */
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
