package dev.gavel.client.connection;

import dev.gavel.client.http.RemoteEvent;
import dev.gavel.client.http.RemoteEventStream;
import dev.gavel.client.http.RemoteGateway;
import dev.gavel.client.http.RemoteGatewayException;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Asks the gateway whether a topic's ledger has reached a sequence number, and which sequence numbers the latest
 * proposal envelopes have. Stateless.
 */
final class LedgerSeqLookup {
    /** Far enough back that the client has received some of these envelopes by now. */
    private static final long LOOKBACK = 64;

    private static final Duration STREAM_TIMEOUT = Duration.ofSeconds(10);

    /** The maximum time that one gateway process may lag behind another. */
    private static final Duration MAX_LAG = Duration.ofSeconds(3);

    private static final Duration POLL_INTERVAL = Duration.ofMillis(250);

    private LedgerSeqLookup() {}

    /**
     * Runs {@code callback} if the topic's ledger does not reach {@code seq} within {@link #MAX_LAG}. The wait is needed
     * because one gateway process may be a moment behind another.
     */
    static void ifNotReached(RemoteGateway gateway, String topic, long seq, Runnable callback) {
        Thread.ofVirtual().name("gavel doubt").start(() -> {
            try {
                if (!waitForSeq(gateway, topic, seq)) {
                    callback.run();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private static boolean waitForSeq(RemoteGateway gateway, String topic, long seq) throws InterruptedException {
        long deadline = System.nanoTime() + MAX_LAG.toNanos();
        do {
            Thread.sleep(POLL_INTERVAL);
            try {
                if (gateway.topic(topic).at("seq").asLong(0) >= seq) {
                    return true;
                }
            } catch (RemoteGatewayException e) {
                // The loop tries again.
            }
        } while (System.nanoTime() < deadline);
        return false;
    }

    /**
     * Looks up the latest envelopes about proposals that other participants sent, with their seqs; empty if the gateway
     * does not answer.
     */
    static void lookupRecentSeqs(
            RemoteGateway gateway,
            String topic,
            String participantId,
            EnvelopeReader reader,
            Consumer<Map<Envelope, Long>> callback) {
        Thread.ofVirtual()
                .name("gavel bookmark")
                .start(() -> callback.accept(lookupRecentSeqs(gateway, topic, participantId, reader)));
    }

    private static Map<Envelope, Long> lookupRecentSeqs(
            RemoteGateway gateway, String topic, String participantId, EnvelopeReader reader) {
        Map<Envelope, Long> seqs = new LinkedHashMap<>();
        try {
            long last = gateway.topic(topic).at("seq").asLong(0);
            try (RemoteEventStream events =
                    gateway.openEventStream(topic, OptionalLong.of(Math.max(0, last - LOOKBACK)))) {
                // The last seqs may belong to events that are not sent to participants; then the stream never reaches
                // them.
                CompletableFuture.delayedExecutor(STREAM_TIMEOUT.toSeconds(), TimeUnit.SECONDS)
                        .execute(events::close);
                long seq = 0;
                while (seq < last) {
                    Optional<RemoteEvent> next = events.next();
                    if (next.isEmpty()) {
                        break;
                    }
                    if (next.get().seq().isPresent()) {
                        seq = next.get().seq().getAsLong();
                        byte[] bytes = next.get().envelope().raw().getBytes(StandardCharsets.UTF_8);
                        if (reader.read(bytes) instanceof Envelope envelope && !participantId.equals(envelope.from())) {
                            seqs.put(envelope, seq);
                        }
                    }
                }
            }
        } catch (RemoteGatewayException e) {
            // The next lookup follows after as many further envelopes.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return seqs;
    }
}
