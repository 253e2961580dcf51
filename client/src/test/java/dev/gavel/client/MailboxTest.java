package dev.gavel.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

class MailboxTest {
    private final Queue<Runnable> threads = new ArrayDeque<>();
    private final List<String> taken = new ArrayList<>();

    private void run() {
        while (!threads.isEmpty()) {
            threads.remove().run();
        }
    }

    @Test
    void thingsAreHandedOnInOrderByOneThreadAtATime() {
        Mailbox<String> mailbox = new Mailbox<>(threads::add, taken::add, 10);
        mailbox.offer("a");
        mailbox.offer("b");
        assertThat(threads).hasSize(1);
        run();
        mailbox.offer("c");
        run();
        assertThat(taken).containsExactly("a", "b", "c");
    }

    @Test
    void whatIsTooMuchIsNotTaken() {
        Mailbox<String> mailbox = new Mailbox<>(threads::add, taken::add, 2, String::length, 5);
        assertThat(mailbox.offer("aaaa")).isTrue();
        assertThat(mailbox.offer("bb")).isFalse();
        assertThat(mailbox.offer("b")).isTrue();
        assertThat(mailbox.offer("")).isFalse();
        run();
        assertThat(mailbox.offer("longer than everything")).isTrue();
        run();
        assertThat(taken).containsExactly("aaaa", "b", "longer than everything");
    }

    @Test
    void theNewestTakesThePlaceOfWhatWaits() {
        Mailbox<String> mailbox = new Mailbox<>(threads::add, taken::add, 1);
        mailbox.replace("a");
        mailbox.replace("b");
        run();
        assertThat(taken).containsExactly("b");
    }

    @Test
    void aCallbackThatFailsBadlyIsCalledAgain() {
        Mailbox<String> mailbox = new Mailbox<>(
                threads::add,
                thing -> {
                    taken.add(thing);
                    throw new AssertionError(thing);
                },
                10);
        mailbox.offer("a");
        run();
        mailbox.offer("b");
        run();
        assertThat(taken).containsExactly("a", "b");
    }

    @Test
    void aCallbackThatFailsIsCalledAgain() {
        Mailbox<String> mailbox = new Mailbox<>(
                threads::add,
                thing -> {
                    taken.add(thing);
                    throw new IllegalStateException(thing);
                },
                10);
        mailbox.offer("a");
        mailbox.offer("b");
        run();
        assertThat(taken).containsExactly("a", "b");
    }
}
