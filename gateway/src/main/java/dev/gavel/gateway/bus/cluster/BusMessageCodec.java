package dev.gavel.gateway.bus.cluster;

import dev.gavel.gateway.bus.BusEnvelope;
import dev.gavel.gateway.bus.MemberPresence;
import dev.gavel.gateway.bus.cluster.BusMessage.ReceivedMessage;
import dev.gavel.gateway.bus.cluster.ByteReader.MalformedMessageException;
import dev.gavel.ledger.AppendedRange;
import dev.gavel.mcpx.CapabilitySet;
import dev.gavel.mcpx.SyntaxVersion;
import dev.gavel.mcpx.TextParseResult;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Encodes bus messages to bytes and decodes untrusted bytes to bus messages. Numbers are varints: groups of seven bits,
 * the lowest first. Texts are UTF-8 with a length prefix. Every value is validated, since anyone with access to the
 * transport can send arbitrary bytes.
 */
final class BusMessageCodec {
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

    private BusMessageCodec() {}

    static byte[] encode(String process, long session, BusMessage message) {
        return switch (message) {
            case BusMessage.EnvelopeMessage(BusEnvelope busEnvelope) -> encodeEnvelope(process, session, busEnvelope);
            case BusMessage.LedgerWritten(AppendedRange(String stream, long first, long last)) ->
                header(64, WROTE, process, session)
                        .writeText(stream)
                        .writeVarint(first)
                        .writeVarint(last)
                        .toBytes();
            case BusMessage.Heartbeat(long revision) ->
                header(32, BEAT, process, session).writeVarint(revision).toBytes();
            case BusMessage.PresenceRequest(long revision) ->
                header(32, ASK, process, session).writeVarint(revision).toBytes();
            case BusMessage.MemberJoined(long revision, String topic, MemberPresence memberPresence) ->
                present(
                                header(256, CAME, process, session).writeVarint(revision),
                                List.of(new BusMessage.TopicPresence(topic, memberPresence)))
                        .toBytes();
            case BusMessage.MemberLeft(long revision, String topic, String member) ->
                header(128, LEFT, process, session)
                        .writeVarint(revision)
                        .writeText(topic)
                        .writeText(member)
                        .toBytes();
            case BusMessage.PresenceResponse presenceResponse ->
                present(
                                header(1024, ANSWER, process, session)
                                        .writeVarint(presenceResponse.requestSession())
                                        .writeVarint(presenceResponse.revision())
                                        .writeVarint(presenceResponse.index())
                                        .writeByte(presenceResponse.last() ? 1 : 0),
                                presenceResponse.present())
                        .toBytes();
            case BusMessage.ProcessStopping() ->
                header(32, FAREWELL, process, session).toBytes();
        };
    }

    private static ByteWriter header(int expected, int kind, String process, long session) {
        return new ByteWriter(expected)
                .writeByte(VERSION)
                .writeByte(kind)
                .writeText(process)
                .writeVarint(session);
    }

    private static byte[] encodeEnvelope(String process, long session, BusEnvelope busEnvelope) {
        byte[] envelope = busEnvelope.envelope();
        Instant at = busEnvelope.receivedAt();
        ByteWriter writer = header(envelope.length + 128, CARRIED, process, session)
                .writeVarint(busEnvelope.afterSeq())
                .writeText(busEnvelope.from())
                .writeVarint(at.getEpochSecond())
                .writeVarint(at.getNano())
                .writeByte(busEnvelope.resolved() ? 1 : 0)
                .writeByte(busEnvelope.forAllProcesses() ? 1 : 0)
                .writeByte(busEnvelope.to().isPresent() ? 1 : 0);
        busEnvelope.to().ifPresent(to -> {
            writer.writeVarint(to.size());
            to.forEach(writer::writeText);
        });
        return writer.writeRest(envelope).toBytes();
    }

    /** Many members may have the same capabilities, so each capability set is written once. */
    private static ByteWriter present(ByteWriter writer, List<BusMessage.TopicPresence> present) {
        Map<CapabilitySet, Integer> known = new LinkedHashMap<>();
        present.forEach(each -> known.putIfAbsent(each.presence().capabilitySet(), known.size()));
        writer.writeVarint(known.size());
        known.keySet().forEach(each -> writer.writeBlock(each.toJson(SyntaxVersion.CURRENT)));
        writer.writeVarint(present.size());
        for (BusMessage.TopicPresence each : present) {
            MemberPresence memberPresence = each.presence();
            writer.writeText(each.topic())
                    .writeText(memberPresence.member())
                    .writeVarint(known.getOrDefault(memberPresence.capabilitySet(), 0))
                    .writeVarint(memberPresence.claim());
        }
        return writer;
    }

    static TextParseResult<ReceivedMessage> decode(byte[] message) {
        try {
            ByteReader reader = new ByteReader(message);
            int version = reader.readByte();
            if (version != VERSION) {
                throw new MalformedMessageException("it is of version " + version + ", this process speaks " + VERSION);
            }
            int kind = reader.readByte();
            String process = reader.readText(LONGEST_PROCESS);
            long session = reader.readCount();
            BusMessage read = decode(kind, reader);
            reader.requireEnd();
            return new TextParseResult.Valid<>(new ReceivedMessage(process, session, read));
        } catch (MalformedMessageException e) {
            return new TextParseResult.Invalid<>(String.valueOf(e.getMessage()));
        }
    }

    private static BusMessage decode(int kind, ByteReader reader) throws MalformedMessageException {
        return switch (kind) {
            case CARRIED -> new BusMessage.EnvelopeMessage(parcel(reader));
            case WROTE ->
                new BusMessage.LedgerWritten(
                        new AppendedRange(reader.readText(LONGEST_NAME), reader.readVarint(), reader.readVarint()));
            case BEAT -> new BusMessage.Heartbeat(reader.readCount());
            case ASK -> new BusMessage.PresenceRequest(reader.readCount());
            case CAME -> came(reader);
            case LEFT ->
                new BusMessage.MemberLeft(
                        reader.readCount(), reader.readText(LONGEST_NAME), reader.readText(LONGEST_NAME));
            case ANSWER ->
                new BusMessage.PresenceResponse(
                        reader.readCount(), reader.readCount(), index(reader), reader.readBoolean(), present(reader));
            case FAREWELL -> new BusMessage.ProcessStopping();
            default -> throw new MalformedMessageException("its kind " + kind + " is unknown");
        };
    }

    private static int index(ByteReader reader) throws MalformedMessageException {
        long index = reader.readCount();
        if (index > MOST_PIECES) {
            throw new MalformedMessageException("it is in more than " + MOST_PIECES + " pieces");
        }
        return (int) index;
    }

    private static BusEnvelope parcel(ByteReader reader) throws MalformedMessageException {
        long after = reader.readVarint();
        String from = reader.readText(LONGEST_NAME);
        Instant at = instant(reader.readVarint(), reader.readCount());
        boolean resolved = reader.readBoolean();
        boolean forGateways = reader.readBoolean();
        Optional<List<String>> to = Optional.empty();
        if (reader.readBoolean()) {
            List<String> names = new ArrayList<>();
            for (int left = reader.readLength(); left > 0; left--) {
                names.add(reader.readText(LONGEST_NAME));
            }
            to = Optional.of(names);
        }
        return new BusEnvelope(after, from, at, to, resolved, forGateways, reader.readRest());
    }

    private static Instant instant(long seconds, long nanos) throws MalformedMessageException {
        try {
            return Instant.ofEpochSecond(seconds, nanos);
        } catch (DateTimeException | ArithmeticException e) {
            throw new MalformedMessageException("a time is none");
        }
    }

    private static BusMessage came(ByteReader reader) throws MalformedMessageException {
        long revision = reader.readCount();
        List<BusMessage.TopicPresence> present = present(reader);
        if (present.size() != 1) {
            throw new MalformedMessageException("it tells of " + present.size() + " members, not of one");
        }
        BusMessage.TopicPresence only = present.getFirst();
        return new BusMessage.MemberJoined(revision, only.topic(), only.presence());
    }

    private static List<BusMessage.TopicPresence> present(ByteReader reader) throws MalformedMessageException {
        List<CapabilitySet> known = new ArrayList<>();
        for (int left = reader.readLength(); left > 0; left--) {
            known.add(
                    switch (CapabilitySet.fromJson(reader.readBlock(LONGEST_CAPABILITIES))) {
                        case TextParseResult.Valid<CapabilitySet>(CapabilitySet capabilitySet) -> capabilitySet;
                        case TextParseResult.Invalid<CapabilitySet>(String problem) ->
                            throw new MalformedMessageException(problem);
                    });
        }
        List<BusMessage.TopicPresence> present = new ArrayList<>();
        for (int left = reader.readLength(); left > 0; left--) {
            String topic = reader.readText(LONGEST_NAME);
            String member = reader.readText(LONGEST_NAME);
            long index = reader.readCount();
            if (index >= known.size()) {
                throw new MalformedMessageException("it refers to capabilities that it does not have");
            }
            present.add(new BusMessage.TopicPresence(
                    topic, new MemberPresence(member, known.get((int) index), reader.readVarint())));
        }
        return present;
    }
}
