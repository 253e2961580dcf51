package dev.gavel.app.cli.sep;

import dev.gavel.app.cli.Client;
import dev.gavel.app.cli.Complaint;
import dev.gavel.app.cli.ExitCode;
import dev.gavel.mcpx.text.SafeText;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A document in a file, to be sent.
 *
 * @param name as it was typed
 */
record DocumentFile(String name, String text) {
    /** As much as the server takes in one request, but for what stands around it. */
    private static final int LONGEST = 1024 * 1024;

    /** Reads one, or says why not. */
    static DocumentFile read(Client client, Path file) {
        try {
            return read(client.here().directory(), file);
        } catch (IOException e) {
            throw new Complaint(ExitCode.USAGE, "cannot read " + SafeText.line(file.toString()) + ": " + reason(e));
        }
    }

    static DocumentFile read(Path directory, Path file) throws IOException {
        Path path = directory.resolve(file);
        if (Files.size(path) > LONGEST) {
            throw new IOException("it is longer than 1 MiB, the longest that is taken");
        }
        return new DocumentFile(file.toString(), Files.readString(path, StandardCharsets.UTF_8));
    }

    static String reason(IOException e) {
        return e instanceof CharacterCodingException ? "it is not UTF-8 text" : SafeText.line(Complaint.reason(e));
    }

    Asking in(Asking asking) {
        return asking.with("document", text).with("file", name);
    }
}
