package dev.gavel.web.identity;

import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores the random first part of the console's local host name in the data directory, in a file that only its owner
 * may read. Stateless.
 */
public final class ConsoleHostNameFile {
    private static final Logger log = LoggerFactory.getLogger(ConsoleHostNameFile.class);

    private static final String ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789";
    private static final int RANDOM_CHARACTERS = 20;
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{14,61}[a-z0-9]");

    private ConsoleHostNameFile() {}

    /** Returns the name of a data directory; creates it if there is none. If it cannot be stored, it is temporary. */
    public static String loadOrCreate(Path data) {
        try {
            String name = SecretFile.readOrCreate(data.resolve("console-name"), ConsoleHostNameFile::newName);
            if (NAME.matcher(name).matches()) {
                return name;
            }
            log.warn("The file console-name in the data directory contains no valid name. Delete it to create a new"
                    + " one. Until then, the console has a temporary address.");
        } catch (IOException e) {
            log.warn(
                    "The console's name cannot be stored, so the console will have another address after a restart: {}",
                    e.getMessage());
        }
        return newName();
    }

    private static String newName() {
        SecureRandom random = new SecureRandom();
        StringBuilder name = new StringBuilder("gavel-");
        for (int i = 0; i < RANDOM_CHARACTERS; i++) {
            name.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
        }
        return name.toString();
    }
}
