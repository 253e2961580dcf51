package dev.gavel.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

class CallbackQueueTest {
    private final Queue<Runnable> threads = new ArrayDeque<>();
    private final List<String> taken = new ArrayList<>();

    private void run() {
        while (!threads.isEmpty()) {
            threads.remove().run();
        }
    }

    @Test
    void thingsAreHandedOnInOrderByOneThreadAtATime() {
        CallbackQueue<String> callbackQueue = new CallbackQueue<>(threads::add, taken::add, 10);
        callbackQueue.offer("a");
        callbackQueue.offer("b");
        assertThat(threads).hasSize(1);
        run();
        callbackQueue.offer("c");
        run();
        assertThat(taken).containsExactly("a", "b", "c");
    }

    @Test
    void whatIsTooMuchIsNotTaken() {
        CallbackQueue<String> callbackQueue = new CallbackQueue<>(threads::add, taken::add, 2, String::length, 5);
        assertThat(callbackQueue.offer("aaaa")).isTrue();
        assertThat(callbackQueue.offer("bb")).isFalse();
        assertThat(callbackQueue.offer("b")).isTrue();
        assertThat(callbackQueue.offer("")).isFalse();
        run();
        assertThat(callbackQueue.offer("longer than everything")).isTrue();
        run();
        assertThat(taken).containsExactly("aaaa", "b", "longer than everything");
    }

    @Test
    void theNewestTakesThePlaceOfWhatWaits() {
        CallbackQueue<String> callbackQueue = new CallbackQueue<>(threads::add, taken::add, 1);
        callbackQueue.replace("a");
        callbackQueue.replace("b");
        run();
        assertThat(taken).containsExactly("b");
    }

    @Test
    void aCallbackThatFailsBadlyIsCalledAgain() {
        CallbackQueue<String> callbackQueue = new CallbackQueue<>(
                threads::add,
                thing -> {
                    taken.add(thing);
                    throw new AssertionError(thing);
                },
                10);
        callbackQueue.offer("a");
        run();
        callbackQueue.offer("b");
        run();
        assertThat(taken).containsExactly("a", "b");
    }

    @Test
    void aCallbackThatFailsIsCalledAgain() {
        CallbackQueue<String> callbackQueue = new CallbackQueue<>(
                threads::add,
                thing -> {
                    taken.add(thing);
                    throw new IllegalStateException(thing);
                },
                10);
        callbackQueue.offer("a");
        callbackQueue.offer("b");
        run();
        assertThat(taken).containsExactly("a", "b");
    }
}
