package dev.gavel.client.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.client.http.Problem;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OutboxTest {
    private static final Instant NOW = Instant.parse("2026-11-16T10:00:00Z");

    private final Outbox outbox = new Outbox();

    private static Letter letter(String id, boolean durable) {
        return letter(id, durable, 1);
    }

    private static Letter letter(String id, boolean durable, int recipients) {
        return new Letter(id, "text of " + id, 10, recipients, durable, receipt -> {});
    }

    private static Problem problem(String code, long retryAfterMillis) {
        return new Problem(0, code, "", retryAfterMillis, Optional.empty(), Optional.empty());
    }

    private void add(String... ids) {
        for (String id : ids) {
            outbox.add(letter(id, true));
        }
    }

    /** The ids of everything that may be sent at a time. */
    private List<String> take(Instant at) {
        List<String> ids = new ArrayList<>();
        for (Optional<Letter> next = outbox.next(at); next.isPresent(); next = outbox.next(at)) {
            ids.add(next.get().id());
        }
        return ids;
    }

    @Test
    void whatWasNotEchoedIsSentAgainInTheOrderItWasGivenIn() {
        add("a", "b", "c");
        assertThat(take(NOW)).containsExactly("a", "b", "c");
        assertThat(outbox.echoed("b")).map(Letter::id).contains("b");
        add("d");
        outbox.disconnected();
        assertThat(take(NOW)).containsExactly("a", "c", "d");
    }

    @Test
    void whatIsNotEchoedEverIsSentOnce() {
        outbox.add(letter("chat", false));
        assertThat(take(NOW)).containsExactly("chat");
        assertThat(outbox.isEmpty()).isTrue();
        outbox.disconnected();
        assertThat(take(NOW)).isEmpty();
    }

    @Test
    void aReplayMayTellThatItIsKeptBeforeItIsSentAgain() {
        add("a", "b");
        take(NOW);
        outbox.disconnected();
        assertThat(outbox.echoed("a")).isPresent();
        assertThat(outbox.echoed("a")).isEmpty();
        assertThat(take(NOW)).containsExactly("b");
    }

    @Test
    void onlySoManyAreOnTheirWayAtOnce() {
        for (int i = 0; i < Outbox.WINDOW + 10; i++) {
            add("n" + i);
        }
        assertThat(take(NOW)).hasSize(Outbox.WINDOW);
        outbox.echoed("n0");
        assertThat(take(NOW)).containsExactly("n" + Outbox.WINDOW);
    }

    @Test
    void itIsBoundedInNumberAndInSize() {
        for (int i = 0; i < Outbox.MOST; i++) {
            assertThat(outbox.hasRoomFor(10)).isTrue();
            add("n" + i);
        }
        assertThat(outbox.hasRoomFor(10)).isFalse();
        outbox.clear();
        assertThat(outbox.hasRoomFor(Outbox.MOST_CHARACTERS + 1)).isTrue();
        add("small");
        assertThat(outbox.hasRoomFor(Outbox.MOST_CHARACTERS)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"unavailable", "rate_limited"})
    void whatCannotBeTakenNowIsSentAgainLaterAndNothingBeforeIt(String code) {
        add("a", "b");
        take(NOW);
        add("c");
        assertThat(outbox.refused(Optional.of("a"), problem(code, 2000), NOW)).isEmpty();
        assertThat(take(NOW)).isEmpty();
        assertThat(outbox.lookAgain(NOW)).contains(NOW.plusMillis(2000));
        assertThat(take(NOW.plusMillis(2000))).containsExactly("a", "c");
    }

    @Test
    void inTheEndItIsGivenUp() {
        add("a");
        Instant at = NOW;
        int attempts = 0;
        Optional<Letter> given = Optional.empty();
        while (given.isEmpty()) {
            attempts += take(at).size();
            given = outbox.refused(Optional.of("a"), problem("unavailable", 0), at);
            at = at.plus(Duration.ofMinutes(1));
        }
        assertThat(attempts).isEqualTo(Outbox.MOST_ATTEMPTS + 1);
        assertThat(outbox.isEmpty()).isTrue();
    }

    @Test
    void whatWillNeverBeTakenIsNotSentAgain() {
        add("a", "b", "c");
        take(NOW);
        assertThat(outbox.refused(Optional.of("a"), problem("capability_violation", 0), NOW))
                .isPresent();
        // Too many open proposals: time alone does not help.
        assertThat(outbox.refused(Optional.of("b"), problem("rate_limited", 0), NOW))
                .isPresent();
        outbox.disconnected();
        assertThat(take(NOW)).containsExactly("c");
    }

    @Test
    void whereItIsNotSaidWhichWasRefusedAllAreSentAgain() {
        add("a", "b");
        take(NOW);
        outbox.refused(Optional.empty(), problem("rate_limited", 50), NOW);
        assertThat(take(NOW)).isEmpty();
        assertThat(take(NOW.plusSeconds(1))).containsExactly("a", "b");
    }

    @Test
    void anUnknownNameAmongSeveralIsDoubtedOnce() {
        outbox.add(letter("a", true, 2));
        outbox.add(letter("b", true, 2));
        add("c");
        take(NOW);
        Problem unknown = problem("unknown_recipient", 0);
        assertThat(outbox.refused(Optional.of("a"), unknown, NOW)).isEmpty();
        assertThat(take(NOW)).containsExactly("a");
        assertThat(outbox.echoed("a")).isPresent();
        assertThat(outbox.refused(Optional.of("b"), unknown, NOW)).isEmpty();
        take(NOW);
        assertThat(outbox.refused(Optional.of("b"), unknown, NOW)).isPresent();
        assertThat(outbox.refused(Optional.of("c"), unknown, NOW)).isPresent();
    }

    @Test
    void whatIsTooLargeDoesNotEndEveryConnection() {
        // Many bytes in few characters.
        outbox.add(large("large", 1000, true));
        outbox.add(new Letter("long", "x".repeat(500), 500, 0, true, receipt -> {}));
        assertThat(take(NOW)).hasSize(2);
        tooLarge();
        assertThat(blamed).containsExactly("large");
        outbox.disconnected();
        assertThat(take(NOW)).containsExactly("long");
    }

    @Test
    void whatWasSentOnceAndWasLargerIsBlamedAndNothingElseGivenUp() {
        add("a");
        outbox.add(large("chat", 1000, false));
        outbox.add(large("b", 900, true));
        take(NOW);
        tooLarge();
        assertThat(blamed).containsExactly("chat");
        outbox.disconnected();
        // That one may have been too large as well: then it is the largest now.
        assertThat(take(NOW)).containsExactly("a", "b");
        tooLarge();
        assertThat(blamed).containsExactly("chat", "b");
    }

    private final List<String> blamed = new ArrayList<>();

    private Letter large(String id, int bytes, boolean durable) {
        return new Letter(id, "x", bytes, 0, durable, receipt -> blamed.add(id));
    }

    private void tooLarge() {
        outbox.tooLarge().ifPresent(then -> then.accept(new Receipt.Refused(problem("too_large", 0))));
    }
}
