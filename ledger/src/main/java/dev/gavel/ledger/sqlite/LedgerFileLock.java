package dev.gavel.ledger.sqlite;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * Locks a file beside the SQLite ledger so that only one process writes the ledger at a time. The operating system
 * releases the lock when the process ends, even if it crashes. The lock is on a separate file because releasing a lock
 * on the database file would also release SQLite's own locks.
 */
final class LedgerFileLock implements AutoCloseable {
    private final FileChannel channel;

    private LedgerFileLock(FileChannel channel) {
        this.channel = channel;
    }

    static Path lockFile(Path file) {
        return file.resolveSibling(file.getFileName() + ".lock");
    }

    /** Tries to acquire the lock; empty if another process, or another part of this process, holds it. */
    @SuppressWarnings("resource") // The lock closes the channel.
    static Optional<LedgerFileLock> tryAcquire(Path file) throws IOException {
        OwnerOnlyFiles.create(lockFile(file));
        FileChannel channel = FileChannel.open(lockFile(file), StandardOpenOption.WRITE);
        try {
            if (channel.tryLock() != null) {
                return Optional.of(new LedgerFileLock(channel));
            }
        } catch (OverlappingFileLockException e) {
            // This process already holds the lock: treated like a lock held by another process.
        }
        channel.close();
        return Optional.empty();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
