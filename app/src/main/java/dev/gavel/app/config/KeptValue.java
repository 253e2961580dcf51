package dev.gavel.app.config;

import dev.gavel.mcpx.Parsed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A value that may be kept elsewhere: {@code env:NAME}, {@code file:PATH}, or the text itself. Stateless. */
public final class KeptValue {
    private KeptValue() {}

    /** The value, or why there is none; what it is stands in no message. */
    public static Parsed<String> read(String text, Function<String, @Nullable String> environment) {
        if (text.startsWith("env:")) {
            String name = text.substring("env:".length());
            String value = name.isBlank() ? null : environment.apply(name);
            return value == null
                    ? new Parsed.Invalid<>("the environment variable '" + name + "' is not set")
                    : new Parsed.Valid<>(value);
        }
        if (text.startsWith("file:")) {
            String path = text.substring("file:".length());
            try {
                return new Parsed.Valid<>(
                        Files.readString(Path.of(path), StandardCharsets.UTF_8).strip());
            } catch (IOException | InvalidPathException e) {
                return new Parsed.Invalid<>("the file " + path + " cannot be read");
            }
        }
        return new Parsed.Valid<>(text);
    }
}
