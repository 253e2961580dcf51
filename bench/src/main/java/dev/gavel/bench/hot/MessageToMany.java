package dev.gavel.bench.hot;

import dev.gavel.gateway.delivery.Delivery;
import dev.gavel.gateway.delivery.Outgoing;
import dev.gavel.gateway.delivery.Receiver;
import dev.gavel.mcpx.Spelling;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.concurrent.ImmediateEventExecutor;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * One message to many receivers, in a pass of its own: so that all a pass costs is that message's. Confined to the
 * benchmark's thread, which stands for the topic's loop.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class MessageToMany {
    private static final int LENGTH = 400;

    @Param({"10", "100", "1000"})
    public int receivers;

    private final byte[] envelope = new byte[LENGTH];
    private final Delivery delivery = new Delivery(ImmediateEventExecutor.INSTANCE, ByteBufAllocator.DEFAULT);
    private final Receiver sender = new Receiver(new Discard(), Spelling.CURRENT);

    /** Has everybody join. */
    @Setup
    public void join() {
        delivery.add(sender);
        for (int i = 0; i < receivers; i++) {
            delivery.add(new Receiver(new Discard(), Spelling.CURRENT));
        }
    }

    /** Sends it; an executor that runs everything at once ends the pass with it. */
    @Benchmark
    public void send() {
        delivery.toAllBut(sender, new Outgoing(_ -> envelope));
    }
}
