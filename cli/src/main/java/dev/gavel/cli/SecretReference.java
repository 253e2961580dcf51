package dev.gavel.cli;

import dev.gavel.mcpx.TextParseResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Resolves a value given as {@code env:NAME}, {@code file:PATH} or plain text. Stateless. */
public final class SecretReference {
    private SecretReference() {}

    /** Returns the value, or the reason why it cannot be read. The reason never contains the value. */
    public static TextParseResult<String> resolve(String text, Function<String, @Nullable String> environment) {
        if (text.startsWith("env:")) {
            String name = text.substring("env:".length());
            String value = name.isBlank() ? null : environment.apply(name);
            return value == null
                    ? new TextParseResult.Invalid<>("the environment variable '" + name + "' is not set")
                    : new TextParseResult.Valid<>(value);
        }
        if (text.startsWith("file:")) {
            String path = text.substring("file:".length());
            try {
                return new TextParseResult.Valid<>(
                        Files.readString(Path.of(path), StandardCharsets.UTF_8).strip());
            } catch (IOException | InvalidPathException e) {
                return new TextParseResult.Invalid<>("the file " + path + " cannot be read");
            }
        }
        return new TextParseResult.Valid<>(text);
    }
}
