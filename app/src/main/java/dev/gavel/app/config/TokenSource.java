package dev.gavel.app.config;

import dev.gavel.web.identity.TokenHash;
import dev.gavel.web.identity.WeakTokenDetector;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Where a configured token comes from: an environment variable, a file, a SHA-256 hash or the text itself. */
public sealed interface TokenSource {
    /** The token itself, in the configuration or on a command line. */
    record Literal(String token) implements TokenSource {
        /** Hides the token from logs and messages. */
        @Override
        public String toString() {
            return "Literal[…]";
        }
    }

    /** The environment variable that contains the token. */
    record Env(String name) implements TokenSource {}

    /** The file that contains the token; surrounding white space is ignored. */
    record File(String path) implements TokenSource {}

    /** The SHA-256 hash of a token that is not stored. */
    record Hash(String hex) implements TokenSource {}

    /** Parses the text form of a token source. */
    static TokenSource parse(String text) {
        if (text.startsWith("env:")) {
            return new Env(text.substring("env:".length()));
        }
        if (text.startsWith("file:")) {
            return new File(text.substring("file:".length()));
        }
        if (text.startsWith("sha256:")) {
            return new Hash(text.substring("sha256:".length()));
        }
        return new Literal(text);
    }

    /** Returns the hash of the owner's token, or the reason why there is none. */
    default Resolution resolve(Function<String, @Nullable String> environment, String owner) {
        return switch (this) {
            case Literal literal -> hashed(literal.token(), "the token", owner);
            case Env env -> {
                if (env.name().isBlank()) {
                    yield new Unresolved("'env:' must be followed by the name of an environment variable");
                }
                String value = environment.apply(env.name());
                yield value == null || value.isBlank()
                        ? new Unresolved("the environment variable " + env.name() + " is not set")
                        : hashed(value.strip(), "the token in " + env.name(), owner);
            }
            case File file -> {
                try {
                    String text = Files.readString(Path.of(file.path()), StandardCharsets.UTF_8);
                    yield hashed(text.strip(), "the token in " + file.path(), owner);
                } catch (IOException | InvalidPathException e) {
                    yield new Unresolved("cannot read the token file " + file.path());
                }
            }
            case Hash hash ->
                TokenHash.parse(hash.hex())
                        .map(found -> WeakTokenDetector.problem(found, owner)
                                .<Resolution>map(problem -> new Unresolved("the token " + problem))
                                .orElseGet(() -> new Found(found)))
                        .orElse(new Unresolved("'sha256:' must be followed by 64 hexadecimal digits"));
        };
    }

    private static Resolution hashed(String token, String what, String owner) {
        return WeakTokenDetector.problem(token, owner)
                .<Resolution>map(problem -> new Unresolved(what + " " + problem))
                .orElseGet(() -> new Found(TokenHash.of(token)));
    }

    /** The result of resolving a token. */
    sealed interface Resolution {}

    /** The token exists. */
    record Found(TokenHash hash) implements Resolution {}

    /** There is no token, for this reason. */
    record Unresolved(String reason) implements Resolution {}
}
