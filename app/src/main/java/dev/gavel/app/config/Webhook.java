package dev.gavel.app.config;

import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Where people are told of what they must do: an address that is posted to. Immutable.
 *
 * @param url a secret: whoever knows it can write to the channel behind it
 */
public record Webhook(URI url, Kind kind) {
    /** What is posted. */
    public enum Kind {
        DISCORD,
        SLACK,
        JSON;

        /** What the configuration calls it. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        static Optional<Kind> of(String word) {
            return Arrays.stream(values())
                    .filter(kind -> kind.word().equals(word))
                    .findFirst();
        }

        static List<String> words() {
            return Arrays.stream(values()).map(Kind::word).toList();
        }
    }

    /** One whose address says by itself what it takes. */
    static Webhook of(URI url) {
        String host = url.getHost().toLowerCase(Locale.ROOT);
        return new Webhook(
                url,
                within(host, "discord.com") || within(host, "discordapp.com")
                        ? Kind.DISCORD
                        : within(host, "hooks.slack.com") ? Kind.SLACK : Kind.JSON);
    }

    private static boolean within(String host, String domain) {
        return host.equals(domain) || host.endsWith("." + domain);
    }

    /** The same address, which takes something else. */
    Webhook as(Kind other) {
        return new Webhook(url, other);
    }

    /** An address that can be posted to. */
    static Optional<URI> address(String text) {
        try {
            URI uri = URI.create(text);
            boolean web = "https".equals(uri.getScheme()) || "http".equals(uri.getScheme());
            return web && uri.getHost() != null && uri.getUserInfo() == null ? Optional.of(uri) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Keeps the address out of logs and messages. */
    @Override
    public String toString() {
        return "Webhook[" + kind.word() + " …]";
    }
}
