package dev.gavel.gateway.bus.cluster;

import dev.gavel.gateway.bus.ForwardedEnvelope;
import dev.gavel.gateway.bus.MemberPresence;
import dev.gavel.gateway.bus.cluster.BusMessage.ReceivedMessage;
import dev.gavel.gateway.bus.cluster.ByteReader.MalformedMessageException;
import dev.gavel.ledger.AppendedRange;
import dev.gavel.mcpx.CapabilitySet;
import dev.gavel.mcpx.EnvelopeSyntax;
import dev.gavel.mcpx.ValueParseResult;
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
    private static final int VERSION = 2;

    private static final int MAX_NAME_BYTES = 1024;
    private static final int MAX_PROCESS_BYTES = 32;
    private static final int MAX_CAPABILITIES_BYTES = 1 << 20;
    private static final int MAX_CHUNKS = 100_000;

    private static final int ENVELOPE = 1;
    private static final int LEDGER_WRITTEN = 2;
    private static final int HEARTBEAT = 3;
    private static final int PRESENCE_REQUEST = 4;
    private static final int MEMBER_JOINED = 5;
    private static final int MEMBER_LEFT = 6;
    private static final int PRESENCE_RESPONSE = 7;
    private static final int PROCESS_STOPPING = 8;

    private BusMessageCodec() {}

    static byte[] encode(String process, long session, BusMessage message) {
        return switch (message) {
            case BusMessage.EnvelopeMessage(ForwardedEnvelope forwardedEnvelope) ->
                encodeEnvelope(process, session, forwardedEnvelope);
            case BusMessage.LedgerWritten(AppendedRange(String stream, long first, long last)) ->
                header(64, LEDGER_WRITTEN, process, session)
                        .writeText(stream)
                        .writeVarint(first)
                        .writeVarint(last)
                        .toBytes();
            case BusMessage.Heartbeat(long revision) ->
                header(32, HEARTBEAT, process, session).writeVarint(revision).toBytes();
            case BusMessage.PresenceRequest(long requestId, long revision) ->
                header(32, PRESENCE_REQUEST, process, session)
                        .writeVarint(requestId)
                        .writeVarint(revision)
                        .toBytes();
            case BusMessage.MemberJoined(long revision, String topic, MemberPresence memberPresence) ->
                present(
                                header(256, MEMBER_JOINED, process, session).writeVarint(revision),
                                List.of(new BusMessage.TopicPresence(topic, memberPresence)))
                        .toBytes();
            case BusMessage.MemberLeft(long revision, String topic, String member) ->
                header(128, MEMBER_LEFT, process, session)
                        .writeVarint(revision)
                        .writeText(topic)
                        .writeText(member)
                        .toBytes();
            case BusMessage.PresenceResponse presenceResponse ->
                present(
                                header(1024, PRESENCE_RESPONSE, process, session)
                                        .writeVarint(presenceResponse.requestId())
                                        .writeVarint(presenceResponse.revision())
                                        .writeVarint(presenceResponse.index())
                                        .writeByte(presenceResponse.last() ? 1 : 0),
                                presenceResponse.presences())
                        .toBytes();
            case BusMessage.ProcessStopping() ->
                header(32, PROCESS_STOPPING, process, session).toBytes();
        };
    }

    private static ByteWriter header(int expected, int kind, String process, long session) {
        return new ByteWriter(expected)
                .writeByte(VERSION)
                .writeByte(kind)
                .writeText(process)
                .writeVarint(session);
    }

    private static byte[] encodeEnvelope(String process, long session, ForwardedEnvelope forwardedEnvelope) {
        byte[] envelope = forwardedEnvelope.envelope();
        Instant at = forwardedEnvelope.receivedAt();
        ByteWriter writer = header(envelope.length + 128, ENVELOPE, process, session)
                .writeVarint(forwardedEnvelope.afterSeq())
                .writeText(forwardedEnvelope.from())
                .writeVarint(at.getEpochSecond())
                .writeVarint(at.getNano())
                .writeByte(forwardedEnvelope.rewritesTo() ? 1 : 0)
                .writeByte(forwardedEnvelope.forAllProcesses() ? 1 : 0)
                .writeByte(forwardedEnvelope.to().isPresent() ? 1 : 0);
        forwardedEnvelope.to().ifPresent(to -> {
            writer.writeVarint(to.size());
            to.forEach(writer::writeText);
        });
        return writer.writeRest(envelope).toBytes();
    }

    /** Many members may have the same capabilities, so each capability set is written once. */
    private static ByteWriter present(ByteWriter writer, List<BusMessage.TopicPresence> present) {
        Map<CapabilitySet, Integer> capabilitySets = new LinkedHashMap<>();
        present.forEach(each -> capabilitySets.putIfAbsent(each.presence().capabilitySet(), capabilitySets.size()));
        writer.writeVarint(capabilitySets.size());
        capabilitySets.keySet().forEach(each -> writer.writeBlock(each.toJson(EnvelopeSyntax.CURRENT)));
        writer.writeVarint(present.size());
        for (BusMessage.TopicPresence each : present) {
            MemberPresence memberPresence = each.presence();
            writer.writeText(each.topic())
                    .writeText(memberPresence.member())
                    .writeVarint(capabilitySets.getOrDefault(memberPresence.capabilitySet(), 0))
                    .writeVarint(memberPresence.socketPrecedence());
        }
        return writer;
    }

    static ValueParseResult<ReceivedMessage> decode(byte[] message) {
        try {
            ByteReader reader = new ByteReader(message);
            int version = reader.readByte();
            if (version != VERSION) {
                throw new MalformedMessageException(
                        "its version is " + version + ", but this process supports " + VERSION);
            }
            int kind = reader.readByte();
            String process = reader.readText(MAX_PROCESS_BYTES);
            long session = reader.readCount();
            BusMessage read = decode(kind, reader);
            reader.requireEnd();
            return new ValueParseResult.Valid<>(new ReceivedMessage(process, session, read));
        } catch (MalformedMessageException e) {
            return new ValueParseResult.Invalid<>(String.valueOf(e.getMessage()));
        }
    }

    private static BusMessage decode(int kind, ByteReader reader) throws MalformedMessageException {
        return switch (kind) {
            case ENVELOPE -> new BusMessage.EnvelopeMessage(readEnvelope(reader));
            case LEDGER_WRITTEN ->
                new BusMessage.LedgerWritten(
                        new AppendedRange(reader.readText(MAX_NAME_BYTES), reader.readVarint(), reader.readVarint()));
            case HEARTBEAT -> new BusMessage.Heartbeat(reader.readCount());
            case PRESENCE_REQUEST -> new BusMessage.PresenceRequest(reader.readCount(), reader.readCount());
            case MEMBER_JOINED -> readMemberJoined(reader);
            case MEMBER_LEFT ->
                new BusMessage.MemberLeft(
                        reader.readCount(), reader.readText(MAX_NAME_BYTES), reader.readText(MAX_NAME_BYTES));
            case PRESENCE_RESPONSE ->
                new BusMessage.PresenceResponse(
                        reader.readCount(),
                        reader.readCount(),
                        readChunkIndex(reader),
                        reader.readBoolean(),
                        present(reader));
            case PROCESS_STOPPING -> new BusMessage.ProcessStopping();
            default -> throw new MalformedMessageException("its kind " + kind + " is unknown");
        };
    }

    private static int readChunkIndex(ByteReader reader) throws MalformedMessageException {
        long index = reader.readCount();
        if (index > MAX_CHUNKS) {
            throw new MalformedMessageException("it has more than " + MAX_CHUNKS + " parts");
        }
        return (int) index;
    }

    private static ForwardedEnvelope readEnvelope(ByteReader reader) throws MalformedMessageException {
        long after = reader.readVarint();
        String from = reader.readText(MAX_NAME_BYTES);
        Instant at = toInstant(reader.readVarint(), reader.readCount());
        boolean resolved = reader.readBoolean();
        boolean forAllProcesses = reader.readBoolean();
        Optional<List<String>> to = Optional.empty();
        if (reader.readBoolean()) {
            List<String> names = new ArrayList<>();
            for (int remaining = reader.readLength(); remaining > 0; remaining--) {
                names.add(reader.readText(MAX_NAME_BYTES));
            }
            to = Optional.of(names);
        }
        return new ForwardedEnvelope(after, from, at, to, resolved, forAllProcesses, reader.readRest());
    }

    private static Instant toInstant(long seconds, long nanos) throws MalformedMessageException {
        try {
            return Instant.ofEpochSecond(seconds, nanos);
        } catch (DateTimeException | ArithmeticException e) {
            throw new MalformedMessageException("a timestamp is invalid");
        }
    }

    private static BusMessage readMemberJoined(ByteReader reader) throws MalformedMessageException {
        long revision = reader.readCount();
        List<BusMessage.TopicPresence> present = present(reader);
        if (present.size() != 1) {
            throw new MalformedMessageException("it lists " + present.size() + " members instead of one");
        }
        BusMessage.TopicPresence only = present.getFirst();
        return new BusMessage.MemberJoined(revision, only.topic(), only.presence());
    }

    private static List<BusMessage.TopicPresence> present(ByteReader reader) throws MalformedMessageException {
        List<CapabilitySet> capabilitySets = new ArrayList<>();
        for (int remaining = reader.readLength(); remaining > 0; remaining--) {
            capabilitySets.add(
                    switch (CapabilitySet.fromJson(reader.readBlock(MAX_CAPABILITIES_BYTES))) {
                        case ValueParseResult.Valid<CapabilitySet>(CapabilitySet capabilitySet) -> capabilitySet;
                        case ValueParseResult.Invalid<CapabilitySet>(String problem) ->
                            throw new MalformedMessageException(problem);
                    });
        }
        List<BusMessage.TopicPresence> present = new ArrayList<>();
        for (int remaining = reader.readLength(); remaining > 0; remaining--) {
            String topic = reader.readText(MAX_NAME_BYTES);
            String member = reader.readText(MAX_NAME_BYTES);
            long index = reader.readCount();
            if (index >= capabilitySets.size()) {
                throw new MalformedMessageException("it refers to capabilities that it does not contain");
            }
            present.add(new BusMessage.TopicPresence(
                    topic, new MemberPresence(member, capabilitySets.get((int) index), reader.readVarint())));
        }
        return present;
    }
}
