package dev.gavel.gateway.delivery;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Encodes the envelopes that a topic sends together once per frame format, and gives each connection the part of the
 * bytes meant for it. Confined to the topic's loop.
 */
final class FrameMerger {
    private final List<OutgoingEnvelope> passEnvelopes;
    private final ByteBufAllocator allocator;
    private final Map<FrameFormat, Frames> frames = new HashMap<>(2);

    /** A pass in one format: all frames, and the index at which each ends. */
    private static final class Frames {
        final ByteBuf all;
        final int[] ends;

        Frames(List<OutgoingEnvelope> pass, FrameFormat frameFormat, ByteBuf all) {
            this.all = all;
            this.ends = new int[pass.size()];
            for (int i = 0; i < ends.length; i++) {
                frameFormat.framing().write(pass.get(i), frameFormat.syntax(), all);
                ends[i] = all.writerIndex();
            }
        }

        private int start(int index) {
            return index == 0 ? 0 : ends[index - 1];
        }

        void copy(int index, ByteBuf out) {
            out.writeBytes(all, start(index), ends[index] - start(index));
        }

        int lengthWithout(BitSet skipped) {
            int length = all.readableBytes();
            for (int i = skipped.nextSetBit(0); i >= 0; i = skipped.nextSetBit(i + 1)) {
                length -= ends[i] - start(i);
            }
            return length;
        }

        /** Returns the frames from one index (inclusive) to another (exclusive) without copying them. */
        ByteBuf slice(int from, int to) {
            return all.retainedSlice(start(from), ends[to - 1] - start(from));
        }
    }

    FrameMerger(List<OutgoingEnvelope> pass, ByteBufAllocator allocator) {
        this.passEnvelopes = pass;
        this.allocator = allocator;
    }

    /** Returns the whole pass; this object keeps the reference. */
    ByteBuf allFrames(FrameFormat frameFormat) {
        return frames(frameFormat).all;
    }

    /** Returns a receiver's share of the pass; empty if nothing is left for it. */
    ByteBuf framesFor(ConnectionDeliveryState receiver) {
        if (!receiver.exclusiveEnvelopes.isEmpty()) {
            return copyShare(receiver);
        }
        Frames shared = frames(receiver.frameFormat());
        int remaining = shared.lengthWithout(receiver.skippedIndexes);
        // A slice holds the whole pass in memory until it is sent, but counts only its own length towards the pending
        // bytes of a slow receiver. So slices are used only if they are at least half of the pass.
        return remaining == 0
                ? Unpooled.EMPTY_BUFFER
                : 2 * remaining >= shared.all.readableBytes() ? sliceShare(receiver) : copyShare(receiver);
    }

    /** Returns the share without the skipped frames, as slices of the shared buffer. */
    private ByteBuf sliceShare(ConnectionDeliveryState receiver) {
        Frames shared = frames(receiver.frameFormat());
        List<ByteBuf> slices = new ArrayList<>(2);
        int from = receiver.skippedIndexes.nextClearBit(0);
        while (from < passEnvelopes.size()) {
            int skipped = receiver.skippedIndexes.nextSetBit(from);
            int to = skipped < 0 ? passEnvelopes.size() : skipped;
            slices.add(shared.slice(from, to));
            from = receiver.skippedIndexes.nextClearBit(to);
        }
        return slices.size() == 1
                ? slices.getFirst()
                : allocator.compositeBuffer(slices.size()).addComponents(true, slices);
    }

    /** Returns the share with the receiver's exclusive envelopes, copied to a separate buffer. */
    private ByteBuf copyShare(ConnectionDeliveryState receiver) {
        FrameFormat frameFormat = receiver.frameFormat();
        Frames shared = frames(frameFormat);
        ByteBuf share = allocator.directBuffer(256);
        int nextExclusive = 0;
        for (int i = 0; i <= passEnvelopes.size(); i++) {
            while (nextExclusive < receiver.exclusiveEnvelopes.size()
                    && receiver.exclusiveEnvelopes.get(nextExclusive).beforeIndex() == i) {
                frameFormat
                        .framing()
                        .write(
                                receiver.exclusiveEnvelopes.get(nextExclusive++).envelope(),
                                frameFormat.syntax(),
                                share);
            }
            if (i < passEnvelopes.size() && !receiver.skippedIndexes.get(i)) {
                shared.copy(i, share);
            }
        }
        return share;
    }

    void release() {
        frames.values().forEach(each -> each.all.release());
    }

    private Frames frames(FrameFormat frameFormat) {
        return frames.computeIfAbsent(
                frameFormat,
                format -> new Frames(passEnvelopes, format, allocator.directBuffer(passEnvelopes.size() * 512)));
    }
}
