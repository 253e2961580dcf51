package dev.gavel.gateway.delivery;

import io.netty.buffer.ByteBuf;
import io.netty.util.concurrent.EventExecutor;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds the buffers that a topic sends together to the connections of one event loop, and writes them on that loop.
 * Each batch is written once.
 */
final class EventLoopDeliveryBatch {
    private static final Logger log = LoggerFactory.getLogger(EventLoopDeliveryBatch.class);

    private final EventExecutor loop;
    private final ConnectionDeliveryState[] receivers;
    private final List<ReceiverShare> differingShares;
    private final ByteBuf shared;
    private @Nullable ByteBuf view;

    /** The buffer that the receiver at an index gets instead of the shared buffer. Its reference passes with it. */
    record ReceiverShare(int index, ByteBuf share) {}

    /**
     * Creates a batch to be written.
     *
     * @param loop the loop on which all the receivers are written
     * @param shares buffers that some receivers get instead of the shared buffer, in the order of their indexes
     * @param shared the buffer for the other receivers; its reference passes to the batch
     */
    EventLoopDeliveryBatch(
            EventExecutor loop, ConnectionDeliveryState[] receivers, List<ReceiverShare> shares, ByteBuf shared) {
        this.loop = loop;
        this.receivers = receivers;
        this.differingShares = shares;
        this.shared = shared;
    }

    /** Writes the batch on its loop; at once if called on that loop. */
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
                writeShared(from, each.index());
                write(receivers[each.index()].channel(), each.share());
                from = each.index() + 1;
            }
            writeShared(from, receivers.length);
        } finally {
            shared.release();
        }
    }

    /** Writes the shared buffer to the receivers from one index (inclusive) to another (exclusive). */
    private void writeShared(int from, int to) {
        if (shared.isReadable()) {
            for (int i = from; i < to; i++) {
                write(receivers[i].channel(), view());
            }
        }
    }

    /**
     * Returns the shared buffer for one more receiver, with independent indexes. If only the batch still holds the
     * buffer, all earlier receivers have taken all of it, and their view is reused: nothing is allocated for receivers
     * that keep up.
     */
    private ByteBuf view() {
        if (view == null || shared.refCnt() > 1) {
            view = shared.duplicate();
        }
        shared.retain();
        return view.setIndex(shared.readerIndex(), shared.writerIndex());
    }

    /** If writing to one receiver fails, the other receivers still get their buffers. */
    private static void write(TransportChannel transportChannel, ByteBuf frames) {
        try {
            if (frames.isReadable()) {
                transportChannel.write(frames);
            }
        } catch (RuntimeException e) {
            log.warn("Writing to a receiver failed; closing its connection.", e);
            transportChannel.close(ConnectionCloseReason.FAILED);
        }
    }
}
