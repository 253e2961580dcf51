package dev.gavel.web.console.session;

import dev.gavel.web.identity.SessionKey;
import dev.gavel.web.identity.TokenHash;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Issues and verifies the sealed cookies that hold a console session, without storing sessions on the server. So they
 * outlive a restart, and are of no use any more once the token is. Only those that somebody ended are remembered, until
 * the process ends. Thread-safe.
 */
public final class SessionCookies {
    /** After this one has to sign in anew. */
    static final Duration MAX_AGE = Duration.ofDays(14);

    private static final String VERSION = "1";
    private static final int MAX_COOKIE_LENGTH = 512;
    private static final int PARTS = 5;

    /** Nobody signs out that often in two weeks. */
    private static final int MAX_ENDED = 10_000;

    private final SessionKey key;
    private final InstantSource clock;

    /** Those that were ended, by the hashes of their cookies; the longest ended first. */
    private final Set<TokenHash> ended = new LinkedHashSet<>();

    public SessionCookies(SessionKey key, InstantSource clock) {
        this.key = key;
        this.clock = clock;
    }

    /**
     * A session.
     *
     * @param token what somebody signed in with
     * @param cookie what stands for it in the browser
     * @param csrf what its forms carry, which no page of another site can know
     */
    public record ConsoleSession(TokenHash token, String cookie, String csrf) {
        /** Whether a form is one of this session's. */
        boolean matchesCsrf(@Nullable String proof) {
            return proof != null && constantTimeEquals(csrf, proof);
        }
    }

    /** Begins one. */
    ConsoleSession create(TokenHash token) {
        byte[] nonce = new byte[16];
        new SecureRandom().nextBytes(nonce);
        String text = VERSION + "." + token.hex() + "."
                + clock.instant().plus(MAX_AGE).getEpochSecond() + "."
                + HexFormat.of().formatHex(nonce);
        return session(token, text);
    }

    /** The one that a cookie stands for; none where we did not write it, or it is over. */
    Optional<ConsoleSession> read(@Nullable String cookie) {
        if (cookie == null || cookie.length() > MAX_COOKIE_LENGTH) {
            return Optional.empty();
        }
        String[] parts = cookie.split("\\.", -1);
        if (parts.length != PARTS || !parts[0].equals(VERSION)) {
            return Optional.empty();
        }
        String text = cookie.substring(0, cookie.lastIndexOf('.'));
        // Only what is sealed is looked into.
        if (!constantTimeEquals(key.sign("session", text), parts[PARTS - 1])) {
            return Optional.empty();
        }
        return Instant.ofEpochSecond(Long.parseLong(parts[2])).isAfter(clock.instant())
                ? TokenHash.parse(parts[1]).map(token -> session(token, text)).filter(this::isActive)
                : Optional.empty();
    }

    /** Ends one before its time. */
    void end(ConsoleSession session) {
        synchronized (ended) {
            if (ended.size() == MAX_ENDED) {
                ended.remove(ended.iterator().next());
            }
            ended.add(TokenHash.of(session.cookie()));
        }
    }

    /** Whether one was not ended before its time. */
    boolean isActive(ConsoleSession session) {
        synchronized (ended) {
            return !ended.contains(TokenHash.of(session.cookie()));
        }
    }

    private ConsoleSession session(TokenHash token, String text) {
        return new ConsoleSession(token, text + "." + key.sign("session", text), key.sign("csrf", text));
    }

    /** In a time that tells nothing of how much of it is right. */
    private static boolean constantTimeEquals(String right, String given) {
        return MessageDigest.isEqual(right.getBytes(StandardCharsets.UTF_8), given.getBytes(StandardCharsets.UTF_8));
    }
}
