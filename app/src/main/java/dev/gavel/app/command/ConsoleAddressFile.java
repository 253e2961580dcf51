package dev.gavel.app.command;

import dev.gavel.ledger.OwnerOnlyDirectory;
import dev.gavel.mcpx.text.SafeText;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores the URL of a running server's console in the data directory, in a file that only its owner may read, so that
 * {@code gavel console} can show it. Stateless.
 */
final class ConsoleAddressFile {
    private static final Logger log = LoggerFactory.getLogger(ConsoleAddressFile.class);

    private static final String NAME = "console-address";

    private ConsoleAddressFile() {}

    /** Writes the URL of a server that has started. If that fails, the server runs without the file. */
    static void write(Path data, Optional<URI> consoleUrl) {
        try {
            if (consoleUrl.isEmpty()) {
                Files.deleteIfExists(data.resolve(NAME));
                return;
            }
            OwnerOnlyDirectory.create(data);
            try (AtomicOutputFile file = AtomicOutputFile.create(data.resolve(NAME))) {
                file.stream().write((consoleUrl.get() + "\n").getBytes(StandardCharsets.UTF_8));
                file.commit();
            }
        } catch (IOException e) {
            log.warn("'gavel console' will not find this server: cannot write {} in the data directory: {}", NAME, e);
        }
    }

    /** Deletes the URL of a server that stops, unless another server has replaced it. */
    static void delete(Path data, Optional<URI> consoleUrl) {
        try {
            if (read(data).equals(consoleUrl)) {
                Files.deleteIfExists(data.resolve(NAME));
            }
        } catch (IOException e) {
            log.warn("cannot delete {} in the data directory: {}", NAME, e.toString());
        }
    }

    /** Returns the URL of the server that runs with a data directory; empty if there is no such server. */
    static Optional<URI> read(Path data) throws IOException {
        Path file = data.resolve(NAME);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        String text = Files.readString(file, StandardCharsets.UTF_8).strip();
        try {
            return Optional.of(URI.create(text));
        } catch (IllegalArgumentException e) {
            throw new IOException("it contains no URL: " + SafeText.line(text), e);
        }
    }
}
