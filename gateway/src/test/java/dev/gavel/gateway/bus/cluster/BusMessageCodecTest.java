package dev.gavel.gateway.bus.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.gateway.bus.ForwardedEnvelope;
import dev.gavel.gateway.bus.MemberPresence;
import dev.gavel.ledger.AppendedRange;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** Encoded messages decode to the same messages; malformed bytes are refused. */
class BusMessageCodecTest {
    @Property(tries = 300)
    void whatIsWrittenIsRead(@ForAll("messages") BusMessage message, @ForAll @IntRange(max = 1 << 30) int session) {
        byte[] written = BusMessageCodec.encode("ab12", session, message);
        BusMessage read = TestMessageDecoder.decode(written);
        if (!(message instanceof BusMessage.EnvelopeMessage)) {
            assertThat(read).isEqualTo(message);
        }
        // Bus envelopes are never compared; they are complete if they encode to the same bytes again.
        assertThat(BusMessageCodec.encode("ab12", session, read)).isEqualTo(written);
    }

    @Property(tries = 1_000)
    void whatIsDamagedDoesNoHarm(@ForAll("messages") BusMessage message, @ForAll int where, @ForAll byte what) {
        byte[] written = BusMessageCodec.encode("ab12", 3, message);
        byte[] changed = written.clone();
        changed[Math.floorMod(where, changed.length)] = what;
        assertThat(BusMessageCodec.decode(changed)).isNotNull();
        assertThat(BusMessageCodec.decode(Arrays.copyOf(written, Math.floorMod(where, written.length))))
                .isNotNull();
    }

    @Property(tries = 1_000)
    void whatIsAnythingDoesNoHarm(@ForAll byte[] bytes) {
        assertThat(BusMessageCodec.decode(bytes)).isNotNull();
        byte[] likely = new byte[bytes.length + 6];
        System.arraycopy(new byte[] {2, 7, 1, 'x', 1, 0}, 0, likely, 0, 6);
        System.arraycopy(bytes, 0, likely, 6, bytes.length);
        assertThat(BusMessageCodec.decode(likely)).isNotNull();
    }

    @Provide
    Arbitrary<BusMessage> messages() {
        Arbitrary<String> names = Arbitraries.strings().ofMaxLength(20);
        Arbitrary<Long> counts = Arbitraries.longs().greaterOrEqual(0);
        Arbitrary<MemberPresence> memberPresences = Combinators.combine(
                        names,
                        Arbitraries.of("chat.*", "mcp.request.tools/call:x", "*")
                                .list()
                                .ofMaxSize(3),
                        Arbitraries.longs())
                .as((member, patterns, claim) -> new MemberPresence(
                        member, BusTestCluster.capabilities(patterns.toArray(String[]::new)), claim));
        Arbitrary<BusMessage.TopicPresence> present =
                Combinators.combine(names, memberPresences).as(BusMessage.TopicPresence::new);
        Arbitrary<ForwardedEnvelope> forwardedEnvelopes = Combinators.combine(
                        Arbitraries.longs(),
                        names,
                        Arbitraries.longs().between(-1_000_000_000_000L, 1_000_000_000_000L),
                        names.list().ofMaxSize(4).optional(),
                        Arbitraries.of(true, false),
                        Arbitraries.of(true, false),
                        Arbitraries.bytes().array(byte[].class).ofMaxSize(300))
                .as((after, from, at, to, resolved, forGateways, envelope) -> new ForwardedEnvelope(
                        after,
                        from,
                        Instant.ofEpochMilli(at),
                        Optional.of(to).flatMap(it -> it),
                        resolved,
                        forGateways,
                        envelope));
        return Arbitraries.oneOf(List.of(
                forwardedEnvelopes.map(BusMessage.EnvelopeMessage::new),
                Combinators.combine(names, Arbitraries.longs(), Arbitraries.longs())
                        .as((stream, first, last) ->
                                new BusMessage.LedgerWritten(new AppendedRange(stream, first, last))),
                counts.map(BusMessage.Heartbeat::new),
                Combinators.combine(counts, counts).as(BusMessage.PresenceRequest::new),
                Combinators.combine(counts, names, memberPresences).as(BusMessage.MemberJoined::new),
                Combinators.combine(counts, names, names).as(BusMessage.MemberLeft::new),
                Combinators.combine(
                                counts,
                                counts,
                                Arbitraries.integers().between(0, 1_000),
                                Arbitraries.of(true, false),
                                present.list().ofMaxSize(5))
                        .as(BusMessage.PresenceResponse::new),
                Arbitraries.just(new BusMessage.ProcessStopping())));
    }
}
