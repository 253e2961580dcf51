package dev.gavel.ledger.sqlite;

import dev.gavel.ledger.FreeSpaceProbe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Compares the free space of the file system that holds a ledger file with the reserve. Thread-safe.
 *
 * @param file the ledger file
 * @param reserveBytes the reserve; 0 for none
 */
public record VolumeSpaceProbe(Path file, long reserveBytes) implements FreeSpaceProbe {
    /** If the free space cannot be determined, the write itself shows whether there is enough. */
    @Override
    public boolean isLow() {
        try {
            return reserveBytes > 0 && Files.getFileStore(file).getUsableSpace() < reserveBytes;
        } catch (IOException e) {
            return false;
        }
    }
}
