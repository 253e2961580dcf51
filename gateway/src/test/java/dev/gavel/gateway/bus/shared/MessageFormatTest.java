package dev.gavel.gateway.bus.shared;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.gateway.bus.Parcel;
import dev.gavel.gateway.bus.Stay;
import dev.gavel.ledger.Growth;
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

/** What is written is read as it was; what is not is refused, whatever it is. */
class MessageFormatTest {
    @Property(tries = 300)
    void whatIsWrittenIsRead(@ForAll("messages") Message message, @ForAll @IntRange(max = 1 << 30) int session) {
        byte[] written = MessageFormat.write("ab12", session, message);
        Message read = Said.read(written);
        if (!(message instanceof Message.Carried)) {
            assertThat(read).isEqualTo(message);
        }
        // Parcels are never compared; nothing of theirs is missing where they are written the same again.
        assertThat(MessageFormat.write("ab12", session, read)).isEqualTo(written);
    }

    @Property(tries = 1_000)
    void whatIsDamagedDoesNoHarm(@ForAll("messages") Message message, @ForAll int where, @ForAll byte what) {
        byte[] written = MessageFormat.write("ab12", 3, message);
        byte[] changed = written.clone();
        changed[Math.floorMod(where, changed.length)] = what;
        assertThat(MessageFormat.read(changed)).isNotNull();
        assertThat(MessageFormat.read(Arrays.copyOf(written, Math.floorMod(where, written.length))))
                .isNotNull();
    }

    @Property(tries = 1_000)
    void whatIsAnythingDoesNoHarm(@ForAll byte[] bytes) {
        assertThat(MessageFormat.read(bytes)).isNotNull();
        byte[] likely = new byte[bytes.length + 6];
        System.arraycopy(new byte[] {1, 7, 1, 'x', 1, 0}, 0, likely, 0, 6);
        System.arraycopy(bytes, 0, likely, 6, bytes.length);
        assertThat(MessageFormat.read(likely)).isNotNull();
    }

    @Provide
    Arbitrary<Message> messages() {
        Arbitrary<String> names = Arbitraries.strings().ofMaxLength(20);
        Arbitrary<Long> counts = Arbitraries.longs().greaterOrEqual(0);
        Arbitrary<Stay> stays = Combinators.combine(
                        names,
                        Arbitraries.of("chat.*", "mcp.request.tools/call:x", "*")
                                .list()
                                .ofMaxSize(3),
                        Arbitraries.longs())
                .as((member, patterns, claim) ->
                        new Stay(member, TestProcesses.capabilities(patterns.toArray(String[]::new)), claim));
        Arbitrary<Message.Presence> present = Combinators.combine(names, stays).as(Message.Presence::new);
        Arbitrary<Parcel> parcels = Combinators.combine(
                        Arbitraries.longs(),
                        names,
                        Arbitraries.longs().between(-1_000_000_000_000L, 1_000_000_000_000L),
                        names.list().ofMaxSize(4).optional(),
                        Arbitraries.of(true, false),
                        Arbitraries.of(true, false),
                        Arbitraries.bytes().array(byte[].class).ofMaxSize(300))
                .as((after, from, at, to, resolved, forGateways, envelope) -> new Parcel(
                        after,
                        from,
                        Instant.ofEpochMilli(at),
                        Optional.of(to).flatMap(it -> it),
                        resolved,
                        forGateways,
                        envelope));
        return Arbitraries.oneOf(List.of(
                parcels.map(Message.Carried::new),
                Combinators.combine(names, Arbitraries.longs(), Arbitraries.longs())
                        .as((stream, first, last) -> new Message.Wrote(new Growth(stream, first, last))),
                counts.map(Message.Beat::new),
                counts.map(Message.Ask::new),
                Combinators.combine(counts, names, stays).as(Message.Came::new),
                Combinators.combine(counts, names, names).as(Message.Left::new),
                Combinators.combine(
                                counts,
                                counts,
                                Arbitraries.integers().between(0, 1_000),
                                Arbitraries.of(true, false),
                                present.list().ofMaxSize(5))
                        .as(Message.Answer::new),
                Arbitraries.just(new Message.Farewell())));
    }
}
