package dev.gavel.client;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The secret token that identifies a participant, read from an environment variable, a file or a string. Read when
 * connecting; never shown by anything here. Immutable.
 */
public final class Token {
    /** Where the secret is. */
    private interface Source {
        String read();
    }

    private final String description;
    private final Source source;

    private Token(String described, Source source) {
        this.description = described;
        this.source = source;
    }

    /** The token in an environment variable. */
    public static Token env(String name) {
        return new Token("the token in the environment variable " + name, () -> {
            String secret = System.getenv(name);
            if (secret == null || secret.isBlank()) {
                throw new IllegalStateException("there is no token in the environment variable " + name);
            }
            return secret.strip();
        });
    }

    /** The token in a file. */
    public static Token file(String path) {
        return new Token("the token in the file " + path, () -> {
            try {
                return Files.readString(Path.of(path)).strip();
            } catch (IOException e) {
                throw new IllegalStateException("the token in the file " + path + " cannot be read: " + e.getMessage());
            }
        });
    }

    /** The token itself; for a program that got it from a vault, say. It does not belong into source code. */
    public static Token of(String secret) {
        return new Token("a token", () -> secret);
    }

    String read() {
        String secret = source.read();
        // What has such characters would be taken for another header, and the exception would quote it.
        if (secret.isEmpty() || !secret.chars().allMatch(each -> each > ' ' && each < 0x7f)) {
            throw new IllegalStateException(description + " is not one line of visible characters");
        }
        return secret;
    }

    /** Where it is; never what it is. */
    @Override
    public String toString() {
        return description;
    }
}
