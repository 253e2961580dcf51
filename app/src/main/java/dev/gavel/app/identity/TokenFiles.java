package dev.gavel.app.identity;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Set;

/**
 * The tokens made at first start: one file each in the data directory, readable by its owner alone. They are the only
 * tokens kept in clear, so that whoever can read the directory can use the server beside it.
 */
public final class TokenFiles {
    private static final int RANDOM_BYTES = 32;

    private final Path directory;

    /** The token files of a data directory. */
    public TokenFiles(Path data) {
        this.directory = data.resolve("tokens");
    }

    /** Where an identity's token is kept. */
    public Path file(String identity) {
        return directory.resolve(identity);
    }

    /** The hash of an identity's token, which is made where there is none. */
    public TokenHash hashOf(String identity) throws IOException {
        Path file = file(identity);
        if (!Files.exists(file)) {
            Files.createDirectories(directory, ownerOnly("rwx------"));
            // Written aside and linked, so that no other process ever reads it half written or overwrites it.
            Path aside = Files.createTempFile(directory, identity, ".new", ownerOnly("rw-------"));
            try {
                Files.writeString(aside, create() + "\n");
                link(file, aside);
            } catch (FileAlreadyExistsException e) {
                // Another process made it in the same moment: its token is as good as ours.
            } finally {
                Files.delete(aside);
            }
        }
        String token = Files.readString(file, StandardCharsets.UTF_8).strip();
        if (token.isEmpty()) {
            throw new IOException("the token file " + file + " is empty: delete it, and a new token is made");
        }
        return TokenHash.of(token);
    }

    private static void link(Path file, Path aside) throws IOException {
        try {
            Files.createLink(file, aside);
        } catch (UnsupportedOperationException e) {
            // A file system without links: then the last of two that come in the same moment wins.
            Files.copy(aside, file, StandardCopyOption.COPY_ATTRIBUTES);
        }
    }

    /** A new token: its prefix lets secret scanners know it. */
    public static String create() {
        byte[] random = new byte[RANDOM_BYTES];
        new SecureRandom().nextBytes(random);
        return "gvl_" + Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    }

    private FileAttribute<?>[] ownerOnly(String permissions) {
        Set<String> views = directory.getFileSystem().supportedFileAttributeViews();
        return views.contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }
}
