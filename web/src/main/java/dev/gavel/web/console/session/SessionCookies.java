package dev.gavel.web.console.session;

import dev.gavel.web.http.ConsoleHost;
import dev.gavel.web.identity.SessionSigningKey;
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
 * Issues and verifies the signed cookies that hold console sessions, so that the server need not store open sessions. A
 * session therefore survives a restart, and becomes invalid together with its token. Only the sessions that users ended
 * are stored, until the process ends. Thread-safe.
 */
public final class SessionCookies {
    /** After this time a user must sign in again. */
    static final Duration MAX_AGE = Duration.ofDays(14);

    private static final String VERSION = "1";
    private static final int MAX_COOKIE_LENGTH = 512;
    private static final int PARTS = 5;

    /** Users do not sign out this often within {@link #MAX_AGE}. */
    private static final int MAX_ENDED = 10_000;

    private final SessionSigningKey key;
    private final ConsoleHost consoleHost;
    private final InstantSource clock;

    /** The hashes of the cookies of ended sessions, earliest ended first. */
    private final Set<TokenHash> ended = new LinkedHashSet<>();

    /**
     * Creates the cookies of a server.
     *
     * @param consoleHost the host at which the sessions are valid; a session of another host is not accepted
     */
    public SessionCookies(SessionSigningKey key, ConsoleHost consoleHost, InstantSource clock) {
        this.key = key;
        this.consoleHost = consoleHost;
        this.clock = clock;
    }

    /**
     * A console session.
     *
     * @param token the hash of the token with which the user signed in
     * @param cookie the value of the cookie that represents the session in the browser
     * @param csrf the token of the session's forms, which pages of other sites cannot know
     */
    public record ConsoleSession(TokenHash token, String cookie, String csrf) {
        /** Whether a form carries the CSRF token of this session. */
        boolean matchesCsrf(@Nullable String proof) {
            return proof != null && constantTimeEquals(csrf, proof);
        }
    }

    ConsoleSession create(TokenHash token) {
        byte[] nonce = new byte[16];
        new SecureRandom().nextBytes(nonce);
        String text = VERSION + "." + token.hex() + "."
                + clock.instant().plus(MAX_AGE).getEpochSecond() + "."
                + HexFormat.of().formatHex(nonce);
        return session(token, text);
    }

    /**
     * Returns the session of a cookie; empty if the cookie was not sealed with this key, or if the session has expired
     * or ended.
     */
    Optional<ConsoleSession> read(@Nullable String cookie) {
        if (cookie == null || cookie.length() > MAX_COOKIE_LENGTH) {
            return Optional.empty();
        }
        String[] parts = cookie.split("\\.", -1);
        if (parts.length != PARTS || !parts[0].equals(VERSION)) {
            return Optional.empty();
        }
        String text = cookie.substring(0, cookie.lastIndexOf('.'));
        // The content is parsed only if the seal is valid.
        if (!constantTimeEquals(seal(text), parts[PARTS - 1])) {
            return Optional.empty();
        }
        return Instant.ofEpochSecond(Long.parseLong(parts[2])).isAfter(clock.instant())
                ? TokenHash.parse(parts[1]).map(token -> session(token, text)).filter(this::isActive)
                : Optional.empty();
    }

    /** Ends a session before it expires. */
    void end(ConsoleSession session) {
        synchronized (ended) {
            if (ended.size() == MAX_ENDED) {
                ended.remove(ended.iterator().next());
            }
            ended.add(TokenHash.of(session.cookie()));
        }
    }

    /** Whether the session was not ended before it expires. */
    boolean isActive(ConsoleSession session) {
        synchronized (ended) {
            return !ended.contains(TokenHash.of(session.cookie()));
        }
    }

    private ConsoleSession session(TokenHash token, String text) {
        return new ConsoleSession(token, text + "." + seal(text), key.sign("csrf", text));
    }

    private String seal(String text) {
        return key.sign("session of " + consoleHost.name().orElse(""), text);
    }

    /** Compares in constant time, so that the duration does not reveal how much of the value is right. */
    private static boolean constantTimeEquals(String right, String given) {
        return MessageDigest.isEqual(right.getBytes(StandardCharsets.UTF_8), given.getBytes(StandardCharsets.UTF_8));
    }
}
