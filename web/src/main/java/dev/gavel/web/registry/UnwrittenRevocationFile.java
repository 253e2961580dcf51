package dev.gavel.web.registry;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gavel.mcpx.JsonByteWriter;
import dev.gavel.mcpx.json.Json;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Stores revocations in a file of the data directory while they are not in the ledger, so that they stay in effect after
 * a restart. The file has one JSON object in each line, and only its owner may read it. Not thread-safe.
 */
final class UnwrittenRevocationFile {
    private static final String NAME = "unwritten-revocations";

    private final Path file;

    UnwrittenRevocationFile(Path data) {
        this.file = data.resolve(NAME);
    }

    /** Reads the revocations. Fails if the file is damaged, because the revocations in it would end silently. */
    List<UnwrittenRevocations.Revocation> read() throws IOException {
        List<UnwrittenRevocations.Revocation> revocations = new ArrayList<>();
        if (Files.exists(file)) {
            String content = Files.readString(file);
            // A last line without a line break was not written completely, and no admin was told that it is in effect.
            for (String line :
                    content.substring(0, content.lastIndexOf('\n') + 1).lines().toList()) {
                try {
                    revocations.add(
                            decode(Json.parse(line).orElseThrow(() -> new IllegalArgumentException("no JSON"))));
                } catch (IllegalArgumentException | DateTimeException e) {
                    throw new IOException(
                            "the file " + file + " contains revocations that are not in the ledger yet, but it is"
                                    + " damaged: " + e.getMessage() + ". Delete it, start the server, and revoke again",
                            e);
                }
            }
        }
        return revocations;
    }

    /** Adds a revocation, and returns when the disk has stored it. */
    void append(UnwrittenRevocations.Revocation revocation) throws IOException {
        byte[] line = JsonByteWriter.write(json -> {
            json.writeStartObject();
            json.writeStringProperty("name", revocation.name());
            json.writeStringProperty("by", revocation.changeAttribution().by());
            json.writeStringProperty("at", revocation.changeAttribution().at().toString());
            json.writeArrayPropertyStart("changes");
            for (RegistryChange change : revocation.changes()) {
                json.writeStartObject();
                json.writeStringProperty("type", RegistryChangeCodec.type(change));
                json.writeName("body");
                json.writeRawValue(RegistryChangeCodec.body(change).toString());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        });
        try (FileChannel channel = FileChannel.open(
                file,
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
                ownerOnly(file))) {
            long start = endOfLastLine(channel);
            ByteBuffer bytes = ByteBuffer.wrap((new String(line, UTF_8) + "\n").getBytes(UTF_8));
            try {
                channel.truncate(start);
                channel.position(start);
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.force(true);
            } catch (IOException e) {
                channel.truncate(start);
                throw e;
            }
        }
    }

    /** Returns the length without a last line that was not written completely. */
    private static long endOfLastLine(FileChannel channel) throws IOException {
        ByteBuffer one = ByteBuffer.allocate(1);
        for (long end = channel.size(); end > 0; end--) {
            channel.read(one.clear(), end - 1);
            if (one.get(0) == '\n') {
                return end;
            }
        }
        return 0;
    }

    /** Deletes the file, because the ledger has all revocations. */
    void delete() throws IOException {
        Files.deleteIfExists(file);
    }

    private static UnwrittenRevocations.Revocation decode(Json line) {
        List<RegistryChange> changes = line.at("changes").elements().stream()
                .map(change -> RegistryChangeCodec.decode(change.at("type").text(), change.at("body")))
                .toList();
        if (changes.isEmpty()) {
            throw new IllegalArgumentException("'changes' is missing");
        }
        return new UnwrittenRevocations.Revocation(
                line.at("name").text(),
                changes,
                new ChangeAttribution(
                        line.at("by").text(), Instant.parse(line.at("at").text())));
    }

    private static FileAttribute<?>[] ownerOnly(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
    }
}
