package dev.gavel.bench.jmh;

import dev.gavel.gateway.delivery.ConnectionDeliveryState;
import dev.gavel.gateway.delivery.DeliveryBatcher;
import dev.gavel.gateway.delivery.OutgoingEnvelope;
import dev.gavel.mcpx.EnvelopeSyntax;
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
 * JMH benchmark of delivering one message to many receivers of a topic. Confined to the benchmark's thread, which acts
 * as the topic's event loop.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class FanOutDeliveryBenchmark {
    private static final int LENGTH = 400;

    @Param({"10", "100", "1000"})
    public int receivers;

    private final byte[] envelope = new byte[LENGTH];
    private final DeliveryBatcher deliveryBatcher =
            new DeliveryBatcher(ImmediateEventExecutor.INSTANCE, ByteBufAllocator.DEFAULT);
    private final ConnectionDeliveryState sender =
            new ConnectionDeliveryState(new DiscardingConnection(), EnvelopeSyntax.CURRENT);

    /** Connects all receivers. */
    @Setup
    public void addReceivers() {
        deliveryBatcher.add(sender);
        for (int i = 0; i < receivers; i++) {
            deliveryBatcher.add(new ConnectionDeliveryState(new DiscardingConnection(), EnvelopeSyntax.CURRENT));
        }
    }

    /** Sends the message; with an executor that runs tasks at once, delivery is complete when this returns. */
    @Benchmark
    public void send() {
        deliveryBatcher.sendToAllExcept(sender, new OutgoingEnvelope(_ -> envelope));
    }
}
