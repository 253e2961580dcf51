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
 * The shared envelopes of one pass, merged into one buffer for each form that somebody wants. Confined to the topic's
 * loop.
 */
final class Merged {
    private final List<Outgoing> pass;
    private final ByteBufAllocator allocator;
    private final Map<Form, Frames> frames = new HashMap<>(2);

    /** A pass in one form: all frames, and where each ends. */
    private static final class Frames {
        final ByteBuf all;
        final int[] ends;

        Frames(List<Outgoing> pass, Form form, ByteBuf all) {
            this.all = all;
            this.ends = new int[pass.size()];
            for (int i = 0; i < ends.length; i++) {
                form.framing().write(pass.get(i), form.spelling(), all);
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

        /** The frames from one to another, without copying them. */
        ByteBuf piece(int from, int to) {
            return all.retainedSlice(start(from), ends[to - 1] - start(from));
        }
    }

    Merged(List<Outgoing> pass, ByteBufAllocator allocator) {
        this.pass = pass;
        this.allocator = allocator;
    }

    /** The whole pass; the reference stays here. */
    ByteBuf whole(Form form) {
        return frames(form).all;
    }

    /** A receiver's own share of the pass; empty where nothing is left for it. */
    ByteBuf shareOf(Receiver receiver) {
        if (!receiver.extras.isEmpty()) {
            return copy(receiver);
        }
        Frames shared = frames(receiver.form());
        int left = shared.lengthWithout(receiver.skipped);
        // A piece keeps all of the pass in memory until it is sent, but counts by its own length for one who is behind:
        // so pieces must be most of the pass.
        return left == 0
                ? Unpooled.EMPTY_BUFFER
                : 2 * left >= shared.all.readableBytes() ? rest(receiver) : copy(receiver);
    }

    /** What is left without what is skipped: pieces of the shared buffer, one after the other. */
    private ByteBuf rest(Receiver receiver) {
        Frames shared = frames(receiver.form());
        List<ByteBuf> pieces = new ArrayList<>(2);
        int from = receiver.skipped.nextClearBit(0);
        while (from < pass.size()) {
            int skipped = receiver.skipped.nextSetBit(from);
            int to = skipped < 0 ? pass.size() : skipped;
            pieces.add(shared.piece(from, to));
            from = receiver.skipped.nextClearBit(to);
        }
        return pieces.size() == 1
                ? pieces.getFirst()
                : allocator.compositeBuffer(pieces.size()).addComponents(true, pieces);
    }

    /** What is left, and what it alone is sent in between, in a buffer of its own. */
    private ByteBuf copy(Receiver receiver) {
        Form form = receiver.form();
        Frames shared = frames(form);
        ByteBuf share = allocator.directBuffer(256);
        int extra = 0;
        for (int i = 0; i <= pass.size(); i++) {
            while (extra < receiver.extras.size() && receiver.extras.get(extra).before() == i) {
                form.framing().write(receiver.extras.get(extra++).envelope(), form.spelling(), share);
            }
            if (i < pass.size() && !receiver.skipped.get(i)) {
                shared.copy(i, share);
            }
        }
        return share;
    }

    void release() {
        frames.values().forEach(each -> each.all.release());
    }

    private Frames frames(Form form) {
        return frames.computeIfAbsent(
                form, wanted -> new Frames(pass, wanted, allocator.directBuffer(pass.size() * 512)));
    }
}
