package dev.gavel.mcpx.proposal;

import java.security.SecureRandom;
import java.time.Instant;
import java.util.HexFormat;

/**
 * Generates unique envelope ids from a type letter, the time and random bytes, so that ids of one type sort by time.
 * Thread-safe.
 */
public final class EnvelopeIdGenerator {
    private static final int TIME_DIGITS = 12;
    private static final int RANDOM_BYTES = 5;
    private static final int SECRET_BYTES = 16;
    private static final SecureRandom RANDOM = new SecureRandom();

    private EnvelopeIdGenerator() {}

    /** Returns a unique id: a letter for the type of the envelope, the time, and random bytes. */
    public static String next(char letter, Instant now) {
        return next(letter, now, RANDOM_BYTES);
    }

    /** Returns a unique id with enough random bytes that it cannot be guessed. */
    public static String nextUnguessable(char letter, Instant now) {
        return next(letter, now, SECRET_BYTES);
    }

    private static String next(char letter, Instant now, int bytes) {
        byte[] randomBytes = new byte[bytes];
        RANDOM.nextBytes(randomBytes);
        HexFormat hex = HexFormat.of();
        return letter + "-" + hex.toHexDigits(now.toEpochMilli(), TIME_DIGITS) + hex.formatHex(randomBytes);
    }
}
