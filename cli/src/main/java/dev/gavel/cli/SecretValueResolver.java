package dev.gavel.cli;

import dev.gavel.mcpx.ValueParseResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Resolves a secret that a setting or an option gives as {@code env:NAME}, {@code file:PATH} or plain text. Stateless.
 */
public final class SecretValueResolver {
    /** A variable as other programs write it. */
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{(\\w+)}");

    private SecretValueResolver() {}

    /** Returns the value, or the reason why it cannot be read. The reason never contains the value. */
    public static ValueParseResult<String> resolve(String text, Function<String, @Nullable String> environment) {
        if (text.startsWith("env:")) {
            String name = text.substring("env:".length());
            String value = name.isBlank() ? null : environment.apply(name);
            return value == null
                    ? new ValueParseResult.Invalid<>("the environment variable '" + name + "' is not set")
                    : new ValueParseResult.Valid<>(value);
        }
        if (text.startsWith("file:")) {
            String path = text.substring("file:".length());
            try {
                return new ValueParseResult.Valid<>(
                        Files.readString(Path.of(path), StandardCharsets.UTF_8).strip());
            } catch (IOException | InvalidPathException e) {
                return new ValueParseResult.Invalid<>("cannot read the file " + path);
            }
        }
        Matcher variable = VARIABLE.matcher(text);
        return variable.matches()
                ? new ValueParseResult.Invalid<>(
                        "Gavel does not expand variables such as '" + text + "': write env:" + variable.group(1))
                : new ValueParseResult.Valid<>(text);
    }
}
