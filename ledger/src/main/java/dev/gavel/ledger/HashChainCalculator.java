package dev.gavel.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.jspecify.annotations.Nullable;

/**
 * Computes the digest of an event and the hash that links it to the previous event of its stream. So the last hash of a
 * stream covers all its events: a change to any of them can be detected. The hashed bytes are documented for auditors
 * and must never change; a different format gets a different version byte at the start. Stateless.
 */
public final class HashChainCalculator {
    /** The hash that precedes the first event of a stream: 32 zero bytes. */
    public static final Hash GENESIS_HASH = Hash.of(new byte[Hash.LENGTH]).orElseThrow();

    private static final byte VERSION = 1;

    /** The length that encodes a missing text. */
    private static final int ABSENT = -1;

    private HashChainCalculator() {}

    /** Returns the digest of an event's content: everything but its seq. */
    public static Hash digest(LedgerEvent event) {
        MessageDigest sha = sha256();
        sha.update(VERSION);
        updateText(sha, event.stream());
        sha.update(bytes(EpochMicros.of(event.at())));
        updateText(sha, event.subject());
        updateText(sha, event.type());
        updateText(sha, event.actor());
        updateText(sha, event.reference());
        updateWithLength(sha, event.body().bytes());
        return hash(sha);
    }

    /** Returns the hash of the event at {@code seq}, given the hash of the preceding event. */
    public static Hash nextHash(Hash previous, long seq, Hash digest) {
        MessageDigest sha = sha256();
        sha.update(previous.bytes());
        sha.update(bytes(seq));
        sha.update(digest.bytes());
        return hash(sha);
    }

    private static void updateText(MessageDigest sha, @Nullable String text) {
        if (text == null) {
            sha.update(bytes(ABSENT));
        } else {
            updateWithLength(sha, text.getBytes(UTF_8));
        }
    }

    private static void updateWithLength(MessageDigest sha, byte[] bytes) {
        sha.update(bytes(bytes.length));
        sha.update(bytes);
    }

    private static byte[] bytes(int number) {
        return ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
    }

    private static byte[] bytes(long number) {
        return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    }

    private static Hash hash(MessageDigest sha) {
        return Hash.of(sha.digest()).orElseThrow();
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256 is not available", e);
        }
    }
}
