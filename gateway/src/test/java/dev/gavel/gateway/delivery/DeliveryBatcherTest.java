package dev.gavel.gateway.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcpx.EnvelopeSyntax;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.util.concurrent.AbstractEventExecutor;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.ImmediateEventExecutor;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class DeliveryBatcherTest {
    /** An event loop that runs its tasks when the test says so; every thread counts as inside it. */
    private static final class ManualLoop extends AbstractEventExecutor {
        private final Queue<Runnable> tasks = new ArrayDeque<>();

        void pass() {
            for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
                task.run();
            }
        }

        @Override
        public void execute(Runnable task) {
            tasks.add(task);
        }

        @Override
        public boolean inEventLoop(Thread thread) {
            return true;
        }

        @Override
        public boolean isShuttingDown() {
            return false;
        }

        @Override
        public Future<?> shutdownGracefully(long quiet, long timeout, TimeUnit unit) {
            return terminationFuture();
        }

        @Override
        public Future<?> terminationFuture() {
            return ImmediateEventExecutor.INSTANCE.newSucceededFuture(null);
        }

        @Override
        @Deprecated
        public void shutdown() {}

        @Override
        public boolean isShutdown() {
            return false;
        }

        @Override
        public boolean isTerminated() {
            return false;
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) {
            return true;
        }
    }

    /** Parses the written frames, and counts writes. */
    private static class Recorder implements TransportChannel {
        final List<String> received = new ArrayList<>();
        final EventExecutor loop;
        int writes;

        Recorder(EventExecutor loop) {
            this.loop = loop;
        }

        @Override
        public EventExecutor loop() {
            return loop;
        }

        @Override
        public TransportFraming framing() {
            return TransportFraming.WEB_SOCKET;
        }

        @Override
        public void write(ByteBuf frames) {
            writes++;
            while (frames.isReadable()) {
                assertThat(frames.readUnsignedByte()).isEqualTo((short) 0x81);
                int length = frames.readUnsignedByte();
                if (length == 126) {
                    length = frames.readUnsignedShort();
                } else if (length == 127) {
                    length = (int) frames.readLong();
                }
                received.add(frames.readString(length, StandardCharsets.UTF_8));
            }
            frames.release();
        }

        @Override
        public long pendingBytes() {
            return 0;
        }

        @Override
        public void whenDrained(Runnable next) {
            next.run();
        }

        @Override
        public void close(ConnectionCloseReason connectionCloseReason) {}
    }

    private final ManualLoop loop = new ManualLoop();
    private final DeliveryBatcher deliveryBatcher = new DeliveryBatcher(loop, UnpooledByteBufAllocator.DEFAULT);

    private static OutgoingEnvelope envelope(String text) {
        return new OutgoingEnvelope(syntaxVersion ->
                (syntaxVersion == EnvelopeSyntax.CURRENT ? text : "old " + text).getBytes(StandardCharsets.UTF_8));
    }

    private ConnectionDeliveryState receiver(TransportChannel transportChannel) {
        ConnectionDeliveryState receiver = new ConnectionDeliveryState(transportChannel, EnvelopeSyntax.CURRENT);
        deliveryBatcher.add(receiver);
        return receiver;
    }

    @Test
    void aPassIsOneWriteAReceiver() {
        Recorder channel = new Recorder(loop);
        receiver(channel);
        for (int i = 0; i < 10; i++) {
            deliveryBatcher.sendToAllExcept(null, envelope("m" + i));
        }
        assertThat(channel.writes).isZero();
        loop.pass();
        assertThat(channel.writes).isOne();
        assertThat(channel.received).hasSize(10).startsWith("m0", "m1").endsWith("m9");
    }

    /** Reads written buffers when the test says so, like a slow connection. */
    private static final class SlowReader extends Recorder {
        final List<ByteBuf> held = new ArrayList<>();

        SlowReader(EventExecutor loop) {
            super(loop);
        }

        @Override
        public void write(ByteBuf frames) {
            held.add(frames);
        }

        void readOn() {
            held.forEach(super::write);
            held.clear();
        }
    }

    @Test
    void receiversThatTakeTheirFramesAtOnceShareOneView() {
        List<ByteBuf> written = new ArrayList<>();
        List<Recorder> channels = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            Recorder channel = new Recorder(loop) {
                @Override
                public void write(ByteBuf frames) {
                    written.add(frames);
                    super.write(frames);
                }
            };
            channels.add(channel);
            receiver(channel);
        }
        deliveryBatcher.sendToAllExcept(null, envelope("a"));
        loop.pass();
        assertThat(written).hasSize(5).allSatisfy(each -> assertThat(each).isSameAs(written.getFirst()));
        assertThat(channels).allSatisfy(channel -> assertThat(channel.received).containsExactly("a"));
        assertThat(written.getFirst().refCnt()).isZero();
    }

    @Test
    void whatASlowReceiverHasNotReadYetStaysItsOwn() {
        Recorder before = new Recorder(loop);
        SlowReader slow = new SlowReader(loop);
        SlowReader slower = new SlowReader(loop);
        Recorder after = new Recorder(loop);
        List.of(before, slow, slower, after).forEach(this::receiver);
        deliveryBatcher.sendToAllExcept(null, envelope("a"));
        loop.pass();
        deliveryBatcher.sendToAllExcept(null, envelope("b"));
        loop.pass();
        List<ByteBuf> held = List.copyOf(slow.held);
        slow.readOn();
        slower.readOn();
        assertThat(List.of(before, slow, slower, after))
                .allSatisfy(channel -> assertThat(channel.received).containsExactly("a", "b"));
        assertThat(held).hasSize(2).allSatisfy(each -> assertThat(each.refCnt()).isZero());
    }

    @Test
    void aLargePassIsFlushedAtOnce() {
        Recorder channel = new Recorder(loop);
        receiver(channel);
        deliveryBatcher.sendToAllExcept(null, envelope("x".repeat(300_000)));
        assertThat(channel.writes).isOne();
    }

    @Test
    void framesOfEveryLengthFormComeApartAgain() {
        Recorder channel = new Recorder(loop);
        receiver(channel);
        for (int length : new int[] {0, 125, 126, 65_535, 65_536}) {
            deliveryBatcher.sendToAllExcept(null, envelope("y".repeat(length)));
        }
        loop.pass();
        assertThat(channel.received).extracting(String::length).containsExactly(0, 125, 126, 65_535, 65_536);
    }

    @Test
    void aReceiverIsSentItsOwnSpellingFromWhereItChanged() {
        Recorder channel = new Recorder(loop);
        Recorder other = new Recorder(loop);
        ConnectionDeliveryState receiver = receiver(channel);
        receiver(other);
        deliveryBatcher.sendToAllExcept(null, envelope("a"));
        deliveryBatcher.changeSyntax(receiver, EnvelopeSyntax.LEGACY);
        deliveryBatcher.sendToAllExcept(null, envelope("b"));
        loop.pass();
        assertThat(channel.received).containsExactly("a", "old b");
        assertThat(other.received).containsExactly("a", "b");
    }

    @Test
    void aReceiverThatHasLeftStaysAwayWhateverSpellingItLastUsed() {
        Recorder channel = new Recorder(loop);
        ConnectionDeliveryState receiver = receiver(channel);
        deliveryBatcher.remove(receiver);
        deliveryBatcher.changeSyntax(receiver, EnvelopeSyntax.LEGACY);
        deliveryBatcher.sendToAllExcept(null, envelope("a"));
        loop.pass();
        assertThat(channel.received).isEmpty();
    }

    @Test
    void aReceiverThatLeavesWhileItIsWrittenLeavesTheOthersComplete() {
        List<ConnectionDeliveryState> gone = new ArrayList<>();
        Recorder leaving = new Recorder(loop) {
            @Override
            public void write(ByteBuf frames) {
                frames.release();
                deliveryBatcher.remove(gone.getFirst());
                deliveryBatcher.sendToAllExcept(null, envelope("z".repeat(300_000)));
            }
        };
        gone.add(receiver(leaving));
        Recorder channel = new Recorder(loop);
        receiver(channel);
        deliveryBatcher.sendToAllExcept(null, envelope("a"));
        deliveryBatcher.sendToAllExcept(null, envelope("b"));
        loop.pass();
        assertThat(channel.received).hasSize(3).startsWith("a", "b");
    }

    /** One step of a random test, for one of four receivers. */
    record Step(String what, int whom) {}

    @Provide
    Arbitrary<List<Step>> steps() {
        return Combinators.combine(
                        Arbitraries.of("join", "leave", "send", "send", "send", "tell", "directed", "pass"),
                        Arbitraries.integers().between(0, 3))
                .as(Step::new)
                .list()
                .ofMaxSize(60);
    }

    /** Whatever happens within a pass and between passes, every receiver is sent exactly its share, in order. */
    @Property(tries = 300)
    void everyReceiverIsSentExactlyItsShareInOrder(@ForAll("steps") List<Step> steps) {
        SlowReader slow = new SlowReader(loop);
        Recorder[] channels = new Recorder[4];
        ConnectionDeliveryState[] receivers = new ConnectionDeliveryState[4];
        boolean[] here = new boolean[4];
        List<List<String>> expected = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            channels[i] = i == 1 ? slow : new Recorder(loop);
            receivers[i] = new ConnectionDeliveryState(channels[i], EnvelopeSyntax.CURRENT);
            expected.add(new ArrayList<>());
        }
        int count = 0;
        for (Step step : steps) {
            int whom = step.whom();
            String text = "m" + count++;
            switch (step.what()) {
                case "join" -> {
                    if (!here[whom]) {
                        deliveryBatcher.add(receivers[whom]);
                        here[whom] = true;
                    }
                }
                case "leave" -> {
                    if (here[whom]) {
                        // The pass drops by design what it holds for a removed receiver; it is flushed first to keep
                        // the model simple.
                        deliveryBatcher.flushTask();
                        deliveryBatcher.remove(receivers[whom]);
                        here[whom] = false;
                    }
                }
                case "send" -> {
                    deliveryBatcher.sendToAllExcept(receivers[whom], envelope(text));
                    note(expected, here, text, other -> other != whom);
                }
                case "directed" -> {
                    deliveryBatcher.sendToAllExcept(
                            null, List.of(receivers), receiver -> receiver == receivers[whom], envelope(text));
                    note(expected, here, text, other -> other == whom);
                }
                case "tell" -> {
                    if (here[whom]) {
                        deliveryBatcher.sendTo(receivers[whom], envelope(text));
                        note(expected, here, text, other -> other == whom);
                    }
                }
                default -> loop.pass();
            }
        }
        loop.pass();
        slow.readOn();
        for (int i = 0; i < 4; i++) {
            assertThat(channels[i].received).isEqualTo(expected.get(i));
        }
    }

    private static void note(
            List<List<String>> expected, boolean[] here, String text, java.util.function.IntPredicate gets) {
        for (int i = 0; i < here.length; i++) {
            if (here[i] && gets.test(i)) {
                expected.get(i).add(text);
            }
        }
    }
}
