package dev.gavel.app.proposal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.app.TestSocket;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;

/** One member's WebSocket connection to a test topic. Received envelopes are read in order, each once. */
final class TestParticipant implements AutoCloseable {
    private static final AtomicInteger MARKS = new AtomicInteger();

    private final TestSocket socket;
    private final JsonNode welcome;

    TestParticipant(TestSocket socket) throws IOException {
        this.socket = socket;
        assertThat(socket.status()).isEqualTo(101);
        this.welcome = socket.envelope();
    }

    /** The first envelope it received. */
    JsonNode welcome() {
        return welcome;
    }

    /** The ids of the open proposals in its welcome. */
    List<String> openProposals() {
        return texts(welcome.path("payload").path("proposals"), "id");
    }

    long seq() {
        return welcome.path("payload").path("seq").asLong();
    }

    void send(Object envelope) throws IOException {
        socket.send(envelope.toString());
    }

    /** Sends a lifecycle envelope and waits for its echo, after which it is durable. */
    JsonNode sendAndAwaitEcho(TestEnvelope testEnvelope) throws IOException {
        send(testEnvelope);
        return answerTo(testEnvelope.id(), false);
    }

    /** Sends an envelope that must be refused, and returns the payload of the error. */
    JsonNode sendAndAwaitError(TestEnvelope testEnvelope) throws IOException {
        send(testEnvelope);
        return answerTo(testEnvelope.id(), true).path("payload");
    }

    private JsonNode answerTo(String id, boolean error) throws IOException {
        JsonNode answer = next(
                each -> id(each).equals(id) || (isError(each) && about(each).contains(id)));
        assertThat(isError(answer)).as(answer.toString()).isEqualTo(error);
        return answer;
    }

    /** The next envelope of a kind, ignoring others before it. */
    JsonNode await(String kind) throws IOException {
        return next(each -> kind(each).equals(kind));
    }

    /** The next envelope with an id, ignoring others before it. */
    JsonNode awaitId(String id) throws IOException {
        return next(each -> id(each).equals(id));
    }

    /** The gateway's next notice of a kind about a proposal, ignoring others before it. */
    JsonNode await(String kind, String proposal) throws IOException {
        return next(each -> kind(each).equals(kind) && about(each).contains(proposal));
    }

    private JsonNode next(Predicate<JsonNode> condition) throws IOException {
        JsonNode envelope = socket.envelope();
        while (!condition.test(envelope)) {
            envelope = socket.envelope();
        }
        return envelope;
    }

    JsonNode next() throws IOException {
        return socket.envelope();
    }

    /** The next envelope with an id, as sent. */
    String awaitText(String id) throws IOException {
        String text = socket.read().text();
        while (!id(TestEnvelope.JSON.readTree(text)).equals(id)) {
            text = socket.read().text();
        }
        return text;
    }

    /** All envelopes until the connection ends. */
    List<JsonNode> readToEnd() {
        List<JsonNode> envelopes = new ArrayList<>();
        try {
            while (true) {
                envelopes.add(socket.envelope());
            }
        } catch (SocketTimeoutException e) {
            throw new AssertionError("the connection did not end", e);
        } catch (IOException e) {
            return envelopes;
        }
    }

    /** The close code of its connection, ignoring everything before it. */
    int closeCode() throws IOException {
        return socket.closeCode();
    }

    /** All envelopes before the gateway's notice of this kind about that proposal. */
    List<JsonNode> receivedBefore(String kind, String proposal) throws IOException {
        List<JsonNode> envelopes = new ArrayList<>();
        while (true) {
            JsonNode envelope = socket.envelope();
            if (kind(envelope).equals(kind) && about(envelope).contains(proposal)) {
                return envelopes;
            }
            envelopes.add(envelope);
        }
    }

    /**
     * All envelopes received before one that the speaker sends now. An envelope that has not arrived by then was not
     * sent.
     */
    List<JsonNode> receivedBefore(TestParticipant speaker) throws IOException {
        String mark = "mark-" + MARKS.incrementAndGet();
        speaker.send(TestEnvelope.chat(mark));
        List<JsonNode> envelopes = socket.until(mark);
        return envelopes.subList(0, envelopes.size() - 1);
    }

    /**
     * All envelopes received before a proposal that the proposer sends now. Chat may overtake the replay of a
     * participant that catches up; newer envelopes about proposals may not.
     */
    List<JsonNode> receivedBeforeProposal(TestParticipant proposer) throws IOException {
        String mark = "mark-" + MARKS.incrementAndGet();
        proposer.sendAndAwaitEcho(TestEnvelope.proposal(mark));
        List<JsonNode> envelopes = socket.until(mark);
        return envelopes.subList(0, envelopes.size() - 1);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    static String id(JsonNode envelope) {
        return envelope.path("id").asString();
    }

    static String kind(JsonNode envelope) {
        return envelope.path("kind").asString();
    }

    private static boolean isError(JsonNode envelope) {
        return kind(envelope).replace('/', '.').equals("system.error");
    }

    /** The correlationId, one or many, in either syntax. */
    static List<String> about(JsonNode envelope) {
        JsonNode about =
                envelope.has("correlation_id") ? envelope.path("correlation_id") : envelope.path("correlationId");
        if (about.isArray()) {
            return about.values().stream().map(JsonNode::asString).toList();
        }
        return about.isString() ? List.of(about.asString()) : List.of();
    }

    static List<String> ids(List<JsonNode> envelopes) {
        return envelopes.stream().map(TestParticipant::id).toList();
    }

    static List<String> kinds(List<JsonNode> envelopes) {
        return envelopes.stream().map(TestParticipant::kind).toList();
    }

    /** The values of a list, or of a field of each of its objects. */
    static List<String> texts(JsonNode list, String field) {
        return list.values().stream().map(each -> each.path(field).asString()).toList();
    }

    static List<String> texts(JsonNode list) {
        return list.values().stream().map(JsonNode::asString).toList();
    }
}
