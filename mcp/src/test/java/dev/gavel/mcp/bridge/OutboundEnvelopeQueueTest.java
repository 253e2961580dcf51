package dev.gavel.mcp.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcp.bridge.OutboundEnvelopeQueue.QueuedEnvelope;
import dev.gavel.mcp.bridge.TopicConnector.DeliveryMode;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

final class OutboundEnvelopeQueueTest {
    private static QueuedEnvelope queuedEnvelope(DeliveryMode deliveryMode) {
        return new QueuedEnvelope(new byte[10], deliveryMode, reason -> {});
    }

    @Test
    @Timeout(60)
    void closesWhileSenderIsBlocked() {
        CountDownLatch never = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        OutboundEnvelopeQueue outboundEnvelopeQueue = new OutboundEnvelopeQueue("test", queuedEnvelope -> {
            try {
                never.await();
            } catch (InterruptedException e) {
                interrupted.countDown();
                Thread.currentThread().interrupt();
            }
        });
        int accepted = 0;
        while (outboundEnvelopeQueue.offer(queuedEnvelope(DeliveryMode.BEST_EFFORT))) {
            accepted++;
        }
        assertThat(accepted)
                .isBetween(OutboundEnvelopeQueue.MAX_NOTIFICATIONS, OutboundEnvelopeQueue.MAX_NOTIFICATIONS + 1);
        assertThat(outboundEnvelopeQueue.offer(queuedEnvelope(DeliveryMode.NORMAL)))
                .isTrue();
        outboundEnvelopeQueue.close();
        assertThat(outboundEnvelopeQueue.offer(queuedEnvelope(DeliveryMode.DURABLE)))
                .isFalse();
        assertThat(interrupted).satisfies(CountDownLatch::await);
    }

    @Test
    void aShortEnvelopeHasRoomAmongLongOnes() {
        CountDownLatch closed = new CountDownLatch(1);
        try (OutboundEnvelopeQueue outboundEnvelopeQueue = new OutboundEnvelopeQueue("test", queuedEnvelope -> {
            try {
                closed.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        })) {
            QueuedEnvelope longEnvelope = new QueuedEnvelope(
                    new byte[(int) OutboundEnvelopeQueue.MAX_BYTES / 2], DeliveryMode.NORMAL, reason -> {});
            int accepted = 0;
            while (outboundEnvelopeQueue.offer(longEnvelope)) {
                accepted++;
            }
            assertThat(accepted).isBetween(2, 3);
            assertThat(outboundEnvelopeQueue.offer(queuedEnvelope(DeliveryMode.NORMAL)))
                    .isTrue();
            closed.countDown();
        }
    }

    @Test
    void closeSendsQueuedEnvelopes() {
        List<DeliveryMode> sent = new CopyOnWriteArrayList<>();
        OutboundEnvelopeQueue outboundEnvelopeQueue =
                new OutboundEnvelopeQueue("test", queuedEnvelope -> sent.add(queuedEnvelope.deliveryMode()));
        assertThat(outboundEnvelopeQueue.offer(queuedEnvelope(DeliveryMode.NORMAL)))
                .isTrue();
        assertThat(outboundEnvelopeQueue.offer(queuedEnvelope(DeliveryMode.DURABLE)))
                .isTrue();
        outboundEnvelopeQueue.close();
        assertThat(sent).containsExactly(DeliveryMode.NORMAL, DeliveryMode.DURABLE);
    }
}
