package dev.gavel.ledger.sqlite;

import dev.gavel.ledger.FreeSpaceProbe;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Compares the free space of the file system that holds a ledger file with the reserve. Thread-safe. */
public final class VolumeSpaceProbe implements FreeSpaceProbe {
    private final Path file;
    private final long reserveBytes;

    /** Looked up once, because that reads the list of all mounted file systems. */
    private volatile @Nullable FileStore volume;

    /**
     * Creates a probe.
     *
     * @param file the ledger file
     * @param reserveBytes the reserve; 0 for none
     */
    public VolumeSpaceProbe(Path file, long reserveBytes) {
        this.file = file;
        this.reserveBytes = reserveBytes;
    }

    /** If the free space cannot be determined, the write itself shows whether there is enough. */
    @Override
    public boolean isLow() {
        if (reserveBytes <= 0) {
            return false;
        }
        try {
            FileStore found = volume;
            if (found == null) {
                found = Files.getFileStore(file);
                volume = found;
            }
            return found.getUsableSpace() < reserveBytes;
        } catch (IOException | SecurityException e) {
            return false;
        }
    }
}
