package dev.gavel.gateway.bus.shared;

import dev.gavel.gateway.bus.Parcel;
import dev.gavel.gateway.bus.Stay;
import dev.gavel.gateway.bus.shared.ByteReader.Unreadable;
import dev.gavel.gateway.bus.shared.Message.Heard;
import dev.gavel.ledger.Growth;
import dev.gavel.mcpx.Capabilities;
import dev.gavel.mcpx.Parsed;
import dev.gavel.mcpx.Spelling;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How messages are written: the version, the kind, the process, its session, and what the kind has. Numbers are in groups
 * of seven bits, the lowest first; texts are UTF-8 with their length before them. Whatever is read is looked at, since
 * anybody who gets at the wire can send anything.
 */
final class MessageFormat {
    private static final int VERSION = 1;

    private static final int LONGEST_NAME = 1024;
    private static final int LONGEST_PROCESS = 32;
    private static final int LONGEST_CAPABILITIES = 1 << 20;
    private static final int MOST_PIECES = 100_000;

    private static final int CARRIED = 1;
    private static final int WROTE = 2;
    private static final int BEAT = 3;
    private static final int ASK = 4;
    private static final int CAME = 5;
    private static final int LEFT = 6;
    private static final int ANSWER = 7;
    private static final int FAREWELL = 8;

    private MessageFormat() {}

    static byte[] write(String process, long session, Message message) {
        return switch (message) {
            case Message.Carried(Parcel parcel) -> carried(process, session, parcel);
            case Message.Wrote(Growth(String stream, long first, long last)) ->
                begun(64, WROTE, process, session)
                        .text(stream)
                        .number(first)
                        .number(last)
                        .written();
            case Message.Beat(long revision) ->
                begun(32, BEAT, process, session).number(revision).written();
            case Message.Ask(long revision) ->
                begun(32, ASK, process, session).number(revision).written();
            case Message.Came(long revision, String topic, Stay stay) ->
                present(begun(256, CAME, process, session).number(revision), List.of(new Message.Presence(topic, stay)))
                        .written();
            case Message.Left(long revision, String topic, String member) ->
                begun(128, LEFT, process, session)
                        .number(revision)
                        .text(topic)
                        .text(member)
                        .written();
            case Message.Answer answer ->
                present(
                                begun(1024, ANSWER, process, session)
                                        .number(answer.asked())
                                        .number(answer.revision())
                                        .number(answer.index())
                                        .octet(answer.last() ? 1 : 0),
                                answer.present())
                        .written();
            case Message.Farewell() -> begun(32, FAREWELL, process, session).written();
        };
    }

    private static ByteWriter begun(int expected, int kind, String process, long session) {
        return new ByteWriter(expected).octet(VERSION).octet(kind).text(process).number(session);
    }

    private static byte[] carried(String process, long session, Parcel parcel) {
        byte[] envelope = parcel.envelope();
        Instant at = parcel.at();
        ByteWriter writer = begun(envelope.length + 128, CARRIED, process, session)
                .number(parcel.after())
                .text(parcel.from())
                .number(at.getEpochSecond())
                .number(at.getNano())
                .octet(parcel.resolved() ? 1 : 0)
                .octet(parcel.forGateways() ? 1 : 0)
                .octet(parcel.to().isPresent() ? 1 : 0);
        parcel.to().ifPresent(to -> {
            writer.number(to.size());
            to.forEach(writer::text);
        });
        return writer.rest(envelope).written();
    }

    /** Many members may send the same, so that is written once. */
    private static ByteWriter present(ByteWriter writer, List<Message.Presence> present) {
        Map<Capabilities, Integer> known = new LinkedHashMap<>();
        present.forEach(each -> known.putIfAbsent(each.stay().capabilities(), known.size()));
        writer.number(known.size());
        known.keySet().forEach(each -> writer.block(each.toJson(Spelling.CURRENT)));
        writer.number(present.size());
        for (Message.Presence each : present) {
            Stay stay = each.stay();
            writer.text(each.topic())
                    .text(stay.member())
                    .number(known.getOrDefault(stay.capabilities(), 0))
                    .number(stay.claim());
        }
        return writer;
    }

    static Parsed<Heard> read(byte[] message) {
        try {
            ByteReader reader = new ByteReader(message);
            int version = reader.octet();
            if (version != VERSION) {
                throw new Unreadable("it is of version " + version + ", this process speaks " + VERSION);
            }
            int kind = reader.octet();
            String process = reader.text(LONGEST_PROCESS);
            long session = reader.count();
            Message read = read(kind, reader);
            reader.end();
            return new Parsed.Valid<>(new Heard(process, session, read));
        } catch (Unreadable e) {
            return new Parsed.Invalid<>(String.valueOf(e.getMessage()));
        }
    }

    private static Message read(int kind, ByteReader reader) throws Unreadable {
        return switch (kind) {
            case CARRIED -> new Message.Carried(parcel(reader));
            case WROTE -> new Message.Wrote(new Growth(reader.text(LONGEST_NAME), reader.number(), reader.number()));
            case BEAT -> new Message.Beat(reader.count());
            case ASK -> new Message.Ask(reader.count());
            case CAME -> came(reader);
            case LEFT -> new Message.Left(reader.count(), reader.text(LONGEST_NAME), reader.text(LONGEST_NAME));
            case ANSWER ->
                new Message.Answer(reader.count(), reader.count(), index(reader), reader.flag(), present(reader));
            case FAREWELL -> new Message.Farewell();
            default -> throw new Unreadable("its kind " + kind + " is unknown");
        };
    }

    private static int index(ByteReader reader) throws Unreadable {
        long index = reader.count();
        if (index > MOST_PIECES) {
            throw new Unreadable("it is in more than " + MOST_PIECES + " pieces");
        }
        return (int) index;
    }

    private static Parcel parcel(ByteReader reader) throws Unreadable {
        long after = reader.number();
        String from = reader.text(LONGEST_NAME);
        Instant at = instant(reader.number(), reader.count());
        boolean resolved = reader.flag();
        boolean forGateways = reader.flag();
        Optional<List<String>> to = Optional.empty();
        if (reader.flag()) {
            List<String> names = new ArrayList<>();
            for (int left = reader.many(); left > 0; left--) {
                names.add(reader.text(LONGEST_NAME));
            }
            to = Optional.of(names);
        }
        return new Parcel(after, from, at, to, resolved, forGateways, reader.rest());
    }

    private static Instant instant(long seconds, long nanos) throws Unreadable {
        try {
            return Instant.ofEpochSecond(seconds, nanos);
        } catch (DateTimeException | ArithmeticException e) {
            throw new Unreadable("a time is none");
        }
    }

    private static Message came(ByteReader reader) throws Unreadable {
        long revision = reader.count();
        List<Message.Presence> present = present(reader);
        if (present.size() != 1) {
            throw new Unreadable("it tells of " + present.size() + " members, not of one");
        }
        Message.Presence only = present.getFirst();
        return new Message.Came(revision, only.topic(), only.stay());
    }

    private static List<Message.Presence> present(ByteReader reader) throws Unreadable {
        List<Capabilities> known = new ArrayList<>();
        for (int left = reader.many(); left > 0; left--) {
            known.add(
                    switch (Capabilities.fromJson(reader.block(LONGEST_CAPABILITIES))) {
                        case Parsed.Valid<Capabilities>(Capabilities capabilities) -> capabilities;
                        case Parsed.Invalid<Capabilities>(String problem) -> throw new Unreadable(problem);
                    });
        }
        List<Message.Presence> present = new ArrayList<>();
        for (int left = reader.many(); left > 0; left--) {
            String topic = reader.text(LONGEST_NAME);
            String member = reader.text(LONGEST_NAME);
            long index = reader.count();
            if (index >= known.size()) {
                throw new Unreadable("it refers to capabilities that it does not have");
            }
            present.add(new Message.Presence(topic, new Stay(member, known.get((int) index), reader.number())));
        }
        return present;
    }
}
