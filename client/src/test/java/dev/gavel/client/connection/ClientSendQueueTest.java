package dev.gavel.client.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.client.http.RemoteProblem;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClientSendQueueTest {
    private static final Instant NOW = Instant.parse("2026-11-16T10:00:00Z");

    private final ClientSendQueue clientSendQueue = new ClientSendQueue();

    private static SendQueueEntry letter(String id, boolean durable) {
        return letter(id, durable, 1);
    }

    private static SendQueueEntry letter(String id, boolean durable, int recipients) {
        return new SendQueueEntry(id, "text of " + id, 10, recipients, durable, clientSendResult -> {});
    }

    private static RemoteProblem problem(String code, long retryAfterMillis) {
        return new RemoteProblem(0, code, "", retryAfterMillis, Optional.empty(), Optional.empty());
    }

    private void add(String... ids) {
        for (String id : ids) {
            clientSendQueue.add(letter(id, true));
        }
    }

    /** Returns the ids of all envelopes that may be sent at a time. */
    private List<String> take(Instant at) {
        List<String> ids = new ArrayList<>();
        for (Optional<SendQueueEntry> next = clientSendQueue.next(at);
                next.isPresent();
                next = clientSendQueue.next(at)) {
            ids.add(next.get().id());
        }
        return ids;
    }

    @Test
    void whatWasNotEchoedIsSentAgainInTheOrderItWasGivenIn() {
        add("a", "b", "c");
        assertThat(take(NOW)).containsExactly("a", "b", "c");
        assertThat(clientSendQueue.onEcho("b")).map(SendQueueEntry::id).contains("b");
        add("d");
        clientSendQueue.onDisconnect();
        assertThat(take(NOW)).containsExactly("a", "c", "d");
    }

    @Test
    void whatIsNotEchoedEverIsSentOnce() {
        clientSendQueue.add(letter("chat", false));
        assertThat(take(NOW)).containsExactly("chat");
        assertThat(clientSendQueue.isEmpty()).isTrue();
        clientSendQueue.onDisconnect();
        assertThat(take(NOW)).isEmpty();
    }

    @Test
    void aReplayMayTellThatItIsKeptBeforeItIsSentAgain() {
        add("a", "b");
        take(NOW);
        clientSendQueue.onDisconnect();
        assertThat(clientSendQueue.onEcho("a")).isPresent();
        assertThat(clientSendQueue.onEcho("a")).isEmpty();
        assertThat(take(NOW)).containsExactly("b");
    }

    @Test
    void onlySoManyAreOnTheirWayAtOnce() {
        for (int i = 0; i < ClientSendQueue.MAX_UNCONFIRMED + 10; i++) {
            add("n" + i);
        }
        assertThat(take(NOW)).hasSize(ClientSendQueue.MAX_UNCONFIRMED);
        clientSendQueue.onEcho("n0");
        assertThat(take(NOW)).containsExactly("n" + ClientSendQueue.MAX_UNCONFIRMED);
    }

    @Test
    void itIsBoundedInNumberAndInSize() {
        for (int i = 0; i < ClientSendQueue.MAX_ENVELOPES; i++) {
            assertThat(clientSendQueue.hasRoomFor(10)).isTrue();
            add("n" + i);
        }
        assertThat(clientSendQueue.hasRoomFor(10)).isFalse();
        clientSendQueue.clear();
        assertThat(clientSendQueue.hasRoomFor(ClientSendQueue.MAX_CHARACTERS + 1))
                .isTrue();
        add("small");
        assertThat(clientSendQueue.hasRoomFor(ClientSendQueue.MAX_CHARACTERS)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"unavailable", "rate_limited"})
    void whatCannotBeTakenNowIsSentAgainLaterAndNothingBeforeIt(String code) {
        add("a", "b");
        take(NOW);
        add("c");
        assertThat(clientSendQueue.onRefused(Optional.of("a"), problem(code, 2000), NOW))
                .isEmpty();
        assertThat(take(NOW)).isEmpty();
        assertThat(clientSendQueue.nextAttemptAt(NOW)).contains(NOW.plusMillis(2000));
        assertThat(take(NOW.plusMillis(2000))).containsExactly("a", "c");
    }

    @Test
    void inTheEndItIsGivenUp() {
        add("a");
        Instant at = NOW;
        int attempts = 0;
        Optional<SendQueueEntry> given = Optional.empty();
        while (given.isEmpty()) {
            attempts += take(at).size();
            given = clientSendQueue.onRefused(Optional.of("a"), problem("unavailable", 0), at);
            at = at.plus(Duration.ofMinutes(1));
        }
        assertThat(attempts).isEqualTo(ClientSendQueue.MAX_ATTEMPTS + 1);
        assertThat(clientSendQueue.isEmpty()).isTrue();
    }

    @Test
    void whatWillNeverBeTakenIsNotSentAgain() {
        add("a", "b", "c");
        take(NOW);
        assertThat(clientSendQueue.onRefused(Optional.of("a"), problem("capability_violation", 0), NOW))
                .isPresent();
        // Too many open proposals: waiting alone does not help.
        assertThat(clientSendQueue.onRefused(Optional.of("b"), problem("rate_limited", 0), NOW))
                .isPresent();
        clientSendQueue.onDisconnect();
        assertThat(take(NOW)).containsExactly("c");
    }

    @Test
    void whereItIsNotSaidWhichWasRefusedAllAreSentAgain() {
        add("a", "b");
        take(NOW);
        clientSendQueue.onRefused(Optional.empty(), problem("rate_limited", 50), NOW);
        assertThat(take(NOW)).isEmpty();
        assertThat(take(NOW.plusSeconds(1))).containsExactly("a", "b");
    }

    @Test
    void anUnknownNameAmongSeveralIsDoubtedOnce() {
        clientSendQueue.add(letter("a", true, 2));
        clientSendQueue.add(letter("b", true, 2));
        add("c");
        take(NOW);
        RemoteProblem unknown = problem("unknown_recipient", 0);
        assertThat(clientSendQueue.onRefused(Optional.of("a"), unknown, NOW)).isEmpty();
        assertThat(take(NOW)).containsExactly("a");
        assertThat(clientSendQueue.onEcho("a")).isPresent();
        assertThat(clientSendQueue.onRefused(Optional.of("b"), unknown, NOW)).isEmpty();
        take(NOW);
        assertThat(clientSendQueue.onRefused(Optional.of("b"), unknown, NOW)).isPresent();
        assertThat(clientSendQueue.onRefused(Optional.of("c"), unknown, NOW)).isPresent();
    }

    @Test
    void whatIsTooLargeDoesNotEndEveryConnection() {
        // Many bytes in few characters.
        clientSendQueue.add(large("large", 1000, true));
        clientSendQueue.add(new SendQueueEntry("long", "x".repeat(500), 500, 0, true, clientSendResult -> {}));
        assertThat(take(NOW)).hasSize(2);
        tooLarge();
        assertThat(tooLargeIds).containsExactly("large");
        clientSendQueue.onDisconnect();
        assertThat(take(NOW)).containsExactly("long");
    }

    @Test
    void whatWasSentOnceAndWasLargerIsBlamedAndNothingElseGivenUp() {
        add("a");
        clientSendQueue.add(large("chat", 1000, false));
        clientSendQueue.add(large("b", 900, true));
        take(NOW);
        tooLarge();
        assertThat(tooLargeIds).containsExactly("chat");
        clientSendQueue.onDisconnect();
        // The second largest may be too large as well; it is the largest now.
        assertThat(take(NOW)).containsExactly("a", "b");
        tooLarge();
        assertThat(tooLargeIds).containsExactly("chat", "b");
    }

    private final List<String> tooLargeIds = new ArrayList<>();

    private SendQueueEntry large(String id, int bytes, boolean durable) {
        return new SendQueueEntry(id, "x", bytes, 0, durable, clientSendResult -> tooLargeIds.add(id));
    }

    private void tooLarge() {
        clientSendQueue
                .onTooLarge()
                .ifPresent(then -> then.accept(new ClientSendResult.Refused(problem("too_large", 0))));
    }
}
