package dev.gavel.gateway.delivery;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
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

        void copy(int index, ByteBuf out) {
            int start = index == 0 ? 0 : ends[index - 1];
            out.writeBytes(all, start, ends[index] - start);
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

    /** A receiver's own share of the pass, in a buffer of its own; empty where nothing is left for it. */
    ByteBuf shareOf(Receiver receiver) {
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
        if (share.isReadable()) {
            return share;
        }
        share.release();
        return Unpooled.EMPTY_BUFFER;
    }

    void release() {
        frames.values().forEach(each -> each.all.release());
    }

    private Frames frames(Form form) {
        return frames.computeIfAbsent(
                form, wanted -> new Frames(pass, wanted, allocator.directBuffer(pass.size() * 512)));
    }
}
