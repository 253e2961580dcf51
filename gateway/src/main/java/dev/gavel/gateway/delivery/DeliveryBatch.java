package dev.gavel.gateway.delivery;

import io.netty.buffer.ByteBuf;
import io.netty.util.concurrent.EventExecutor;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds the buffers that one delivery pass of a topic sends to the receivers of one event loop, and writes them on that
 * loop. Written once, on that loop.
 */
final class DeliveryBatch {
    private static final Logger log = LoggerFactory.getLogger(DeliveryBatch.class);

    private final EventExecutor loop;
    private final EnvelopeReceiver[] receivers;
    private final List<ReceiverShare> differingShares;
    private final ByteBuf shared;
    private @Nullable ByteBuf view;

    /** What the receiver at a place is sent instead of the shared buffer; its reference passes with it. */
    record ReceiverShare(int place, ByteBuf share) {}

    /**
     * A batch to be written.
     *
     * @param loop where every one of the receivers is written
     * @param receiverShare what some of them are sent instead of the shared buffer, in the order of their places
     * @param shared what the others are sent; its reference passes to the batch
     */
    DeliveryBatch(EventExecutor loop, EnvelopeReceiver[] receivers, List<ReceiverShare> receiverShare, ByteBuf shared) {
        this.loop = loop;
        this.receivers = receivers;
        this.differingShares = receiverShare;
        this.shared = shared;
    }

    /** Writes it on its loop: at once if that is where we are. */
    void writeOnLoop() {
        if (loop.inEventLoop()) {
            write();
        } else {
            loop.execute(this::write);
        }
    }

    private void write() {
        try {
            int from = 0;
            for (ReceiverShare each : differingShares) {
                writeShared(from, each.place());
                write(receivers[each.place()].channel(), each.share());
                from = each.place() + 1;
            }
            writeShared(from, receivers.length);
        } finally {
            shared.release();
        }
    }

    /** Writes the shared buffer to the receivers from one place up to another. */
    private void writeShared(int from, int to) {
        if (shared.isReadable()) {
            for (int i = from; i < to; i++) {
                write(receivers[i].channel(), view());
            }
        }
    }

    /**
     * The shared buffer for one more receiver, with places of its own to read at. Where nobody but the batch holds the
     * buffer any more, everybody before has taken all of it, and the view they had is used again: nothing is allocated for
     * those who keep up.
     */
    private ByteBuf view() {
        if (view == null || shared.refCnt() > 1) {
            view = shared.duplicate();
        }
        shared.retain();
        return view.setIndex(shared.readerIndex(), shared.writerIndex());
    }

    /** One receiver's trouble is its own: the others still get theirs. */
    private static void write(TransportChannel transportChannel, ByteBuf frames) {
        try {
            if (frames.isReadable()) {
                transportChannel.write(frames);
            }
        } catch (RuntimeException e) {
            log.warn("a receiver could not be written to", e);
            transportChannel.close(ConnectionCloseReason.FAILED);
        }
    }
}
