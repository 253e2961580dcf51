package dev.gavel.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.jspecify.annotations.Nullable;

/**
 * Computes the digest of an event and the hash that links it to the previous event of its stream. So the last hash
 * stands for all events, and nothing before it can change unnoticed. The bytes hashed are documented for auditors and
 * must never change; another way of hashing gets another first byte. Stateless.
 */
public final class HashChain {
    /** What the first event of a stream follows: 32 zeros. */
    public static final Hash GENESIS_HASH = Hash.of(new byte[Hash.LENGTH]).orElseThrow();

    private static final byte VERSION = 1;

    /** The length of what is not there. */
    private static final int ABSENT = -1;

    private HashChain() {}

    /** The digest of what an event says: everything but its seq. */
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

    /** The hash of the event at a place, given the hash of the one before. */
    public static Hash nextHash(Hash before, long seq, Hash digest) {
        MessageDigest sha = sha256();
        sha.update(before.bytes());
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
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
