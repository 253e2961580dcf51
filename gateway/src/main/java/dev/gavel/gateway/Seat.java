package dev.gavel.gateway;

import dev.gavel.gateway.delivery.Closing;
import dev.gavel.gateway.delivery.Framing;
import dev.gavel.gateway.delivery.Outlet;
import dev.gavel.gateway.delivery.Receiver;
import dev.gavel.mcpx.Spelling;
import io.netty.buffer.ByteBuf;
import io.netty.util.concurrent.EventExecutor;
import java.util.function.BiFunction;

/**
 * A participant's place in a topic that is taken from within this process, without a socket. It is one of several a member
 * may have, and replaces none. Thread-safe.
 */
public final class Seat implements AutoCloseable {
    private final EventExecutor loop;
    private final Guest guest;
    private final Connection connection;

    /** Known on the topic's loop alone. */
    private boolean over;

    /** Who sits there. Called on the topic's loop, which must not be held up. */
    public interface Guest {
        /** Is sent an envelope; the first is the welcome. */
        void heard(byte[] envelope);

        /** Has no place here any more; not told where the guest itself closed the seat. */
        void closed(Closing why);
    }

    Seat(
            Topic topic,
            Membership membership,
            Warrant warrant,
            Connection.Wish wish,
            BiFunction<byte[], Member, Verdict> entrance,
            Guest guest) {
        this.loop = topic.loop();
        this.guest = guest;
        this.connection = new Connection(
                topic, membership, warrant, wish, new Receiver(new Within(), Spelling.CURRENT), entrance);
    }

    void take() {
        connection.began();
    }

    /** Sends an envelope; a refusal comes back as {@code system.error}, as to everybody. */
    public void send(byte[] envelope) {
        loop.execute(() -> {
            if (!over) {
                connection.received(envelope);
                connection.receivedAll();
            }
        });
    }

    @Override
    public void close() {
        loop.execute(() -> end(() -> {}));
    }

    private void end(Runnable before) {
        if (!over) {
            over = true;
            before.run();
            connection.ended();
        }
    }

    /** Where envelopes come out: on the topic's own loop, one by one. */
    private final class Within implements Outlet {
        @Override
        public EventExecutor loop() {
            return loop;
        }

        @Override
        public Framing framing() {
            return Framing.WITHIN;
        }

        @Override
        public void write(ByteBuf frames) {
            try {
                while (frames.isReadable() && !over) {
                    byte[] envelope = new byte[frames.readInt()];
                    frames.readBytes(envelope);
                    guest.heard(envelope);
                }
            } finally {
                frames.release();
            }
        }

        @Override
        public void whenTaken(Runnable next) {
            loop.execute(() -> {
                if (!over) {
                    next.run();
                }
            });
        }

        @Override
        public long waiting() {
            return 0;
        }

        @Override
        public void close(Closing closing) {
            loop.execute(() -> end(() -> {
                connection.dropped(closing);
                guest.closed(closing);
            }));
        }
    }
}
