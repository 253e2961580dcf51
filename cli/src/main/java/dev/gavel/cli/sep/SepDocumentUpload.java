package dev.gavel.cli.sep;

import dev.gavel.cli.ClientCommandContext;
import dev.gavel.cli.CommandException;
import dev.gavel.cli.ExitCode;
import dev.gavel.mcpx.text.SafeText;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * One SEP document that a command has read from a file and sends to the server.
 *
 * @param name the file's name as typed
 */
record SepDocumentUpload(String name, String text) {
    /** The server's limit for one request, apart from the fields around the document. */
    private static final int MAX_BYTES = 1024 * 1024;

    /** Reads a document; throws a usage error with the reason if it cannot be read. */
    static SepDocumentUpload read(ClientCommandContext clientCommandContext, Path file) {
        try {
            return read(
                    file.toString(),
                    clientCommandContext.environment().directory().resolve(file));
        } catch (IOException e) {
            throw new CommandException(
                    ExitCode.USAGE,
                    e instanceof NoSuchFileException
                            ? "the file " + SafeText.line(file.toString()) + " does not exist"
                            : "cannot read " + SafeText.line(file.toString()) + ": " + describe(e));
        }
    }

    static SepDocumentUpload read(String name, Path file) throws IOException {
        if (Files.size(file) > MAX_BYTES) {
            throw new IOException("it is longer than the limit of 1 MiB");
        }
        return new SepDocumentUpload(name, Files.readString(file, StandardCharsets.UTF_8));
    }

    static String describe(IOException e) {
        return e instanceof CharacterCodingException
                ? "it is not UTF-8 text"
                : SafeText.line(CommandException.describe(e));
    }

    SepApiRequest addTo(SepApiRequest sepApiRequest) {
        return sepApiRequest.with("document", text).with("file", name);
    }
}
