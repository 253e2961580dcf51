package dev.gavel.bench.jmh;

import dev.gavel.gateway.delivery.ConnectionCloseReason;
import dev.gavel.gateway.delivery.TransportChannel;
import dev.gavel.gateway.delivery.TransportFraming;
import io.netty.buffer.ByteBuf;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.ImmediateEventExecutor;
import org.openjdk.jmh.annotations.CompilerControl;

/**
 * Receiver connection that releases every frame it is given, so that JMH measures delivery without a socket. Confined
 * to the benchmark's thread.
 */
final class DiscardingConnection implements TransportChannel {
    @Override
    public EventExecutor loop() {
        return ImmediateEventExecutor.INSTANCE;
    }

    @Override
    public TransportFraming framing() {
        return TransportFraming.WEB_SOCKET;
    }

    /** Not inlined: otherwise the compiler would detect that the buffer is unused, and not create it. */
    @Override
    @CompilerControl(CompilerControl.Mode.DONT_INLINE)
    public void write(ByteBuf frames) {
        frames.release();
    }

    @Override
    public void whenDrained(Runnable next) {
        next.run();
    }

    @Override
    public long pendingBytes() {
        return 0;
    }

    @Override
    public void close(ConnectionCloseReason connectionCloseReason) {
        throw new IllegalStateException("only the benchmark closes this connection: " + connectionCloseReason);
    }
}
