package dev.gavel.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the hashed bytes, which are assembled here a second time from the description in docs/ledger.md. */
class HashChainCalculatorTest {
    private static final LedgerEvent FIRST = new LedgerEvent(
            "ops",
            1,
            Instant.parse("2026-01-05T10:00:03.250Z"),
            "p1",
            "proposed",
            "alice",
            "p1",
            LedgerBody.of("{\"text\":\"grün\"}"));

    private static final LedgerEvent SECOND = new LedgerEvent(
            "ops",
            2,
            Instant.parse("2026-01-05T10:15:00Z"),
            "p1",
            "expired",
            "system:gateway",
            null,
            LedgerBody.of("{}"));

    @Test
    void theHashesAreThoseInTheDocumentation() {
        Hash digest = HashChainCalculator.digest(FIRST);
        Hash hash = HashChainCalculator.nextHash(HashChainCalculator.GENESIS_HASH, 1, digest);
        assertThat(digest).hasToString("e40ac9c3fa2e97bec61e4cc331e98fd355a98f0b4bebe1879b1a825837e74e3a");
        assertThat(hash).hasToString("247b312ac3a4914ed7fc6abc54b7647536f8ef931a87f2235f8a3ec094f825dc");
        assertThat(HashChainCalculator.nextHash(hash, 2, HashChainCalculator.digest(SECOND)))
                .hasToString("63b08143eb9890197057c0835dab1524ef89d0f135cb695f04ce52b0637d44de");
    }

    @Test
    void theBytesAreThoseInTheDocumentation() throws Exception {
        byte[] before = new byte[32];
        for (LedgerEvent event : List.of(FIRST, SECOND)) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            DataOutputStream out = new DataOutputStream(bytes);
            out.writeByte(1);
            field(out, event.stream());
            out.writeLong(Duration.between(Instant.EPOCH, event.at()).toNanos() / 1000);
            field(out, event.subject());
            field(out, event.type());
            field(out, event.actor());
            if (event.reference() == null) {
                out.writeInt(0xffffffff);
            } else {
                field(out, event.reference());
            }
            field(out, event.body().toString());
            byte[] digest = sha256(bytes);
            bytes.reset();
            out.write(before);
            out.writeLong(event.seq());
            out.write(digest);
            byte[] hash = sha256(bytes);
            assertThat(HashChainCalculator.digest(event).bytes()).isEqualTo(digest);
            assertThat(HashChainCalculator.nextHash(
                                    Hash.of(before).orElseThrow(), event.seq(), HashChainCalculator.digest(event))
                            .bytes())
                    .isEqualTo(hash);
            before = hash;
        }
    }

    @Test
    void noTwoEventsShareADigestByMovingLettersBetweenFields() {
        LedgerEvent one = new LedgerEvent("ops", 1, SampleEvents.START, "ab", "c", "d", null, LedgerBody.of(""));
        LedgerEvent other = new LedgerEvent("ops", 1, SampleEvents.START, "a", "bc", "d", null, LedgerBody.of(""));
        LedgerEvent empty = new LedgerEvent("ops", 1, SampleEvents.START, "ab", "c", "d", "", LedgerBody.of(""));
        assertThat(List.of(
                        HashChainCalculator.digest(one),
                        HashChainCalculator.digest(other),
                        HashChainCalculator.digest(empty)))
                .doesNotHaveDuplicates();
    }

    @Test
    void aHashIsReadBackFromItsDigits() {
        Hash hash = HashChainCalculator.digest(FIRST);
        assertThat(Hash.parse(hash.toString())).contains(hash);
        assertThat(Hash.parse(hash.toString().substring(2))).isEmpty();
        assertThat(Hash.parse("no hash")).isEmpty();
    }

    private static void field(DataOutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static byte[] sha256(ByteArrayOutputStream bytes) throws Exception {
        return MessageDigest.getInstance("SHA-256").digest(bytes.toByteArray());
    }
}
