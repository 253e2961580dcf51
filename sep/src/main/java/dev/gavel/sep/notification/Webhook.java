package dev.gavel.sep.notification;

import dev.gavel.lifecycle.actor.Person;
import dev.gavel.mcpx.json.Json;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * An address to which the server posts notifications; it is secret, so only its host is shown. It is secret because any
 * sender that knows the address can post to it. Immutable.
 */
public record Webhook(URI url, Kind kind) {
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]", "::1");

    /** The message format that the receiver understands. */
    public enum Kind {
        DISCORD,
        SLACK,
        /** All fields of a notification, for programs. */
        JSON;

        /** Returns the kind with a name, in any case. */
        public static Optional<Kind> parse(String word) {
            for (Kind kind : values()) {
                if (kind.name().equalsIgnoreCase(word)) {
                    return Optional.of(kind);
                }
            }
            return Optional.empty();
        }
    }

    public Webhook {
        validate(url).ifPresent(why -> {
            throw new IllegalArgumentException(why);
        });
    }

    /**
     * Returns a webhook whose kind is derived from its host. The address must be valid.
     *
     * @throws IllegalArgumentException if {@link #validate} rejects the address
     */
    public static Webhook of(URI url) {
        String host = hostOf(url).toLowerCase(Locale.ROOT);
        if (isInDomain(host, "discord.com") || isInDomain(host, "discordapp.com")) {
            return new Webhook(url, Kind.DISCORD);
        }
        return new Webhook(
                url, isInDomain(host, "slack.com") || isInDomain(host, "slack-gov.com") ? Kind.SLACK : Kind.JSON);
    }

    /**
     * Returns why the server cannot post to an address; empty if it can. The message does not contain the address,
     * which is secret.
     */
    public static Optional<String> validate(URI url) {
        String scheme = url.getScheme() == null ? "" : url.getScheme().toLowerCase(Locale.ROOT);
        if (!scheme.equals("https") && !scheme.equals("http")) {
            return Optional.of("a webhook address must begin with https://");
        }
        if (hostOf(url).isEmpty()) {
            return Optional.of("a webhook address must contain a host");
        }
        if (url.getRawUserInfo() != null) {
            return Optional.of("a webhook address must not contain a user name or password");
        }
        return Optional.empty();
    }

    /**
     * Returns a warning about an unencrypted address, because everyone on the network path can read the secret;
     * otherwise empty.
     */
    public Optional<String> warning() {
        return "http".equalsIgnoreCase(url.getScheme()) && !LOOPBACK.contains(host().toLowerCase(Locale.ROOT))
                ? Optional.of("the webhook at " + host() + " receives notifications without encryption; use https://")
                : Optional.empty();
    }

    /** Returns the host, the only part of the address that is shown. */
    public String host() {
        return hostOf(url);
    }

    /** Returns an identifier that depends only on address and kind. The address cannot be derived from it. */
    public String id() {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256").digest((kind + " " + url).getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, 12);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /**
     * Returns the request body for a notification.
     *
     * @param contacts the people whom the message can mention
     */
    public Json body(long seq, SepNotification sepNotification, Map<Person, Contact> contacts) {
        return switch (kind) {
            case DISCORD -> WebhookBodyFormatter.discord(sepNotification, contacts);
            case SLACK -> WebhookBodyFormatter.slack(sepNotification, contacts);
            case JSON -> WebhookBodyFormatter.json(seq, sepNotification);
        };
    }

    @Override
    public String toString() {
        return "webhook at " + host();
    }

    private static boolean isInDomain(String host, String domain) {
        return host.equals(domain) || host.endsWith("." + domain);
    }

    private static String hostOf(URI url) {
        return url.getHost() == null ? "" : url.getHost();
    }
}
