package dev.gavel.ledger.sqlite;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * Locks a file beside the SQLite ledger so that only one process writes the ledger at a time. The operating system lets
 * go of it when the process ends, however it ends. A file beside the database is locked, not the database: SQLite's own
 * locks would be lost with ours.
 */
final class LedgerFileLock implements AutoCloseable {
    private final FileChannel channel;

    private LedgerFileLock(FileChannel channel) {
        this.channel = channel;
    }

    static Path lockFile(Path file) {
        return file.resolveSibling(file.getFileName() + ".lock");
    }

    /** The lock, unless somebody else has it. */
    @SuppressWarnings("resource") // Closed by the lock made of it.
    static Optional<LedgerFileLock> tryAcquire(Path file) throws IOException {
        OwnerOnlyFiles.create(lockFile(file));
        FileChannel channel = FileChannel.open(lockFile(file), StandardOpenOption.WRITE);
        try {
            if (channel.tryLock() != null) {
                return Optional.of(new LedgerFileLock(channel));
            }
        } catch (OverlappingFileLockException e) {
            // Somebody else in this very process: the same answer.
        }
        channel.close();
        return Optional.empty();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
