package dev.gavel.bench.hot;

import dev.gavel.gateway.delivery.Closing;
import dev.gavel.gateway.delivery.Framing;
import dev.gavel.gateway.delivery.Outlet;
import io.netty.buffer.ByteBuf;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.ImmediateEventExecutor;
import org.openjdk.jmh.annotations.CompilerControl;

/** A connection that takes everything at once and does nothing with it. Confined to the benchmark's thread. */
final class Discard implements Outlet {
    @Override
    public EventExecutor loop() {
        return ImmediateEventExecutor.INSTANCE;
    }

    @Override
    public Framing framing() {
        return Framing.WEB_SOCKET;
    }

    /** Not inlined: or the compiler would see that nothing is done with the buffer, and not even make it. */
    @Override
    @CompilerControl(CompilerControl.Mode.DONT_INLINE)
    public void write(ByteBuf frames) {
        frames.release();
    }

    @Override
    public void whenTaken(Runnable next) {
        next.run();
    }

    @Override
    public long waiting() {
        return 0;
    }

    @Override
    public void close(Closing closing) {
        throw new IllegalStateException("nothing ends it but the benchmark: " + closing);
    }
}
