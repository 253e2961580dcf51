package dev.gavel.gateway.topic;

import dev.gavel.gateway.admission.AdmissionResult;
import dev.gavel.gateway.delivery.ConnectionCloseReason;
import dev.gavel.gateway.delivery.ConnectionDeliveryState;
import dev.gavel.gateway.delivery.TransportChannel;
import dev.gavel.gateway.delivery.TransportFraming;
import dev.gavel.gateway.member.LiveMembership;
import dev.gavel.gateway.member.Member;
import dev.gavel.gateway.member.RevocableAccessGrant;
import dev.gavel.mcpx.EnvelopeSyntax;
import io.netty.buffer.ByteBuf;
import io.netty.util.concurrent.EventExecutor;
import java.util.function.BiFunction;

/**
 * A participant's connection to a topic from within this process, without a socket. A member may have several of them;
 * they replace no other connection. Thread-safe.
 */
public final class InProcessConnection implements AutoCloseable {
    private final EventExecutor loop;
    private final Listener listener;
    private final TopicConnection connection;

    /** Confined to the topic's loop. */
    private boolean closed;

    /** Receives the connection's envelopes. Called on the topic's loop, which it must not block. */
    public interface Listener {
        /** Called with each envelope; the first is the welcome. */
        void onEnvelope(byte[] envelope);

        /** Called when the gateway closes the connection; not called after {@link InProcessConnection#close}. */
        void onClose(ConnectionCloseReason closeReason);
    }

    public InProcessConnection(
            Topic topic,
            LiveMembership membership,
            RevocableAccessGrant revocableAccessGrant,
            TopicConnection.SubscribeOptions subscribeOptions,
            BiFunction<byte[], Member, AdmissionResult> admission,
            Listener listener) {
        this.loop = topic.loop();
        this.listener = listener;
        this.connection = new TopicConnection(
                topic,
                membership,
                revocableAccessGrant,
                subscribeOptions,
                new ConnectionDeliveryState(new InProcessChannel(), EnvelopeSyntax.CURRENT),
                admission);
    }

    public void open() {
        connection.onOpen();
    }

    /** Sends an envelope. A refusal is delivered as {@code system.error}, as for other connections. */
    public void send(byte[] envelope) {
        loop.execute(() -> {
            if (!closed) {
                connection.onReceive(envelope);
                connection.onReadComplete();
            }
        });
    }

    @Override
    public void close() {
        loop.execute(() -> finish(() -> {}));
    }

    private void finish(Runnable before) {
        if (!closed) {
            closed = true;
            before.run();
            connection.onClose();
        }
    }

    /** Delivers envelopes to the listener one by one, on the topic's loop. */
    private final class InProcessChannel implements TransportChannel {
        @Override
        public EventExecutor loop() {
            return loop;
        }

        @Override
        public TransportFraming framing() {
            return TransportFraming.IN_PROCESS;
        }

        @Override
        public void write(ByteBuf frames) {
            try {
                while (frames.isReadable() && !closed) {
                    byte[] envelope = new byte[frames.readInt()];
                    frames.readBytes(envelope);
                    listener.onEnvelope(envelope);
                }
            } finally {
                frames.release();
            }
        }

        @Override
        public void whenDrained(Runnable next) {
            loop.execute(() -> {
                if (!closed) {
                    next.run();
                }
            });
        }

        @Override
        public long pendingBytes() {
            return 0;
        }

        @Override
        public void close(ConnectionCloseReason connectionCloseReason) {
            loop.execute(() -> finish(() -> {
                connection.onServerClose(connectionCloseReason);
                listener.onClose(connectionCloseReason);
            }));
        }
    }
}
