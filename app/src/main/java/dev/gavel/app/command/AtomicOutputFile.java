package dev.gavel.app.command;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Writes a file under a temporary name, readable by its owner only, and renames it when complete. Not thread-safe. */
final class AtomicOutputFile implements AutoCloseable {
    private final Path file;
    private final Path temporaryFile;
    private final OutputStream stream;

    private AtomicOutputFile(Path file, Path temporaryPath) throws IOException {
        this.file = file;
        this.temporaryFile = temporaryPath;
        this.stream = new FileOutputStream(temporaryPath.toFile());
    }

    static AtomicOutputFile create(Path file) throws IOException {
        Path directory = file.toAbsolutePath().getParent();
        if (Files.isDirectory(file) || directory == null) {
            throw new IOException("it is a directory");
        }
        if (!Files.isDirectory(directory)) {
            throw new IOException("the directory " + directory + " does not exist");
        }
        // Temporary files are created readable by their owner only.
        Path temporaryPath = Files.createTempFile(directory, file.getFileName().toString(), ".new");
        // Removes the file if the command is interrupted.
        temporaryPath.toFile().deleteOnExit();
        return new AtomicOutputFile(file, temporaryPath);
    }

    OutputStream stream() {
        return stream;
    }

    /** Completes the file: it appears under its name and replaces an earlier one. */
    void commit() throws IOException {
        stream.close();
        try (FileChannel channel = FileChannel.open(temporaryFile, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
        Files.move(temporaryFile, file, StandardCopyOption.ATOMIC_MOVE);
    }

    @Override
    public void close() throws IOException {
        stream.close();
        Files.deleteIfExists(temporaryFile);
    }
}
