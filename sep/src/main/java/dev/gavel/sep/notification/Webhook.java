package dev.gavel.sep.notification;

import dev.gavel.mcpx.json.Json;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * An address to which the server posts notifications; it is secret, so only its host is shown. Whoever knows it can
 * write there, so it is a secret: only its host is ever shown. Immutable.
 */
public record Webhook(URI url, Kind kind) {
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]", "::1");

    /** What is understood at the other end. */
    public enum Kind {
        DISCORD,
        SLACK,
        /** Every field of a notice, for programs. */
        JSON;

        /** The kind a word names, in any case. */
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

    /** A webhook whose kind is told by its host; its address must be one that can be posted to. */
    public static Webhook of(URI url) {
        String host = hostOf(url).toLowerCase(Locale.ROOT);
        if (isInDomain(host, "discord.com") || isInDomain(host, "discordapp.com")) {
            return new Webhook(url, Kind.DISCORD);
        }
        return new Webhook(
                url, isInDomain(host, "slack.com") || isInDomain(host, "slack-gov.com") ? Kind.SLACK : Kind.JSON);
    }

    /** Why an address cannot be posted to; nothing where it can. It does not repeat the address. */
    public static Optional<String> validate(URI url) {
        String scheme = url.getScheme() == null ? "" : url.getScheme().toLowerCase(Locale.ROOT);
        if (!scheme.equals("https") && !scheme.equals("http")) {
            return Optional.of("a webhook's address begins with https://");
        }
        if (hostOf(url).isEmpty()) {
            return Optional.of("a webhook's address names a host");
        }
        if (url.getRawUserInfo() != null) {
            return Optional.of("a webhook's address has no name or password before its host");
        }
        return Optional.empty();
    }

    /** What had better be otherwise, though it works: a secret that anybody on the way can read. */
    public Optional<String> warning() {
        return "http".equalsIgnoreCase(url.getScheme()) && !LOOPBACK.contains(host().toLowerCase(Locale.ROOT))
                ? Optional.of("the webhook at " + host() + " is posted to without encryption; use https://")
                : Optional.empty();
    }

    /** All that is ever shown of its address. */
    public String host() {
        return hostOf(url);
    }

    /** What tells it from other webhooks and stays as long as its address and kind do; the address cannot be had from it. */
    public String id() {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256").digest((kind + " " + url).getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, 12);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /** What is posted to tell of a notice. */
    public Json body(long seq, SepNotification sepNotification) {
        return switch (kind) {
            case DISCORD -> WebhookBodyFormatter.discord(sepNotification);
            case SLACK -> WebhookBodyFormatter.slack(sepNotification);
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
