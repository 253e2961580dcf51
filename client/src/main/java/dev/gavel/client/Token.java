package dev.gavel.client;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The secret token that identifies a participant, read from an environment variable, a file or a string. The client
 * reads it when connecting and never shows it. Immutable.
 */
public final class Token {
    /** Supplies the secret. */
    private interface Source {
        String read();
    }

    private final String description;
    private final Source source;

    private Token(String text, Source source) {
        this.description = text;
        this.source = source;
    }

    /** Reads the token from an environment variable. */
    public static Token env(String name) {
        return new Token("the token in the environment variable " + name, () -> {
            String secret = System.getenv(name);
            if (secret == null || secret.isBlank()) {
                throw new IllegalStateException("the environment variable " + name + " contains no token");
            }
            return secret.strip();
        });
    }

    /** Reads the token from a file. */
    public static Token file(String path) {
        return new Token("the token in the file " + path, () -> {
            try {
                return Files.readString(Path.of(path)).strip();
            } catch (IOException e) {
                throw new IllegalStateException("the token in the file " + path + " cannot be read: " + e.getMessage());
            }
        });
    }

    /** Uses this token, for a program that gets it from a vault, for example. Do not put tokens into source code. */
    public static Token of(String secret) {
        return new Token("a token", () -> secret);
    }

    String read() {
        String secret = source.read();
        // Other characters could inject a header, and the exception of the HTTP client would quote the token.
        if (secret.isEmpty() || !secret.chars().allMatch(each -> each > ' ' && each < 0x7f)) {
            throw new IllegalStateException(
                    description + " must be one line of printable ASCII characters without spaces");
        }
        return secret;
    }

    /** Returns where the token comes from, never the token. */
    @Override
    public String toString() {
        return description;
    }
}
