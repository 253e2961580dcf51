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
    private static final int UNGUESSABLE_BYTES = 16;
    private static final SecureRandom RANDOM = new SecureRandom();

    private EnvelopeIdGenerator() {}

    /** Returns a unique id: a letter for the type of the envelope, the time, and random bytes. */
    public static String next(char prefix, Instant now) {
        return next(prefix, now, RANDOM_BYTES);
    }

    /** Returns a unique id with enough random bytes that it cannot be guessed. */
    public static String nextUnguessable(char prefix, Instant now) {
        return next(prefix, now, UNGUESSABLE_BYTES);
    }

    private static String next(char prefix, Instant now, int bytes) {
        byte[] randomBytes = new byte[bytes];
        RANDOM.nextBytes(randomBytes);
        HexFormat hex = HexFormat.of();
        return prefix + "-" + hex.toHexDigits(now.toEpochMilli(), TIME_DIGITS) + hex.formatHex(randomBytes);
    }
}
