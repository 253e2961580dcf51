package dev.gavel.ledger.writer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.ledger.LedgerBody;
import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.SubjectSummary;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests which subjects the cache holds and which it evicts. */
class SubjectCacheTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final int BODY = 1000;

    private final SubjectCache cache = new SubjectCache(10_000);

    private static SubjectCacheEntry.Key key(String subject) {
        return new SubjectCacheEntry.Key("ops", subject);
    }

    private static SubjectCacheEntry known(String subject, @Nullable Instant dueAt, @Nullable Instant endedAt) {
        LedgerEvent event =
                new LedgerEvent("ops", 1, NOW, subject, "proposed", "alice", null, LedgerBody.of("x".repeat(BODY)));
        SubjectSummary summary = new SubjectSummary(
                "ops", subject, "some", endedAt == null, "alice", dueAt, NOW, endedAt, 1, LedgerBody.of("{}"));
        return SubjectCacheEntry.of(List.of(event), summary);
    }

    @Test
    void whatIsSettledIsLetGo() {
        cache.put(key("p-1"), known("p-1", NOW, null));
        assertThat(cache.get(key("p-1"))).isNotNull();
        cache.put(key("p-1"), known("p-1", null, NOW));
        assertThat(cache.get(key("p-1"))).isNull();
    }

    @Test
    void whatHasEndedButAwaitsSomethingStays() {
        cache.put(key("p-1"), known("p-1", NOW, NOW));
        assertThat(cache.get(key("p-1"))).isNotNull();
    }

    @Test
    void whatIsLetGoMakesRoom() {
        for (int i = 0; i < 100; i++) {
            cache.put(key("p-" + i), known("p-" + i, NOW, null));
            cache.put(key("p-" + i), known("p-" + i, null, NOW));
        }
        for (int i = 0; i < 4; i++) {
            cache.put(key("q-" + i), known("q-" + i, NOW, null));
        }
        assertThat(cache.get(key("q-0")))
                .as("nothing is left over of those that went")
                .isNotNull();
        for (int i = 4; i < 20; i++) {
            cache.put(key("q-" + i), known("q-" + i, NOW, null));
        }
        assertThat(cache.get(key("q-0"))).as("the longest unused goes first").isNull();
    }
}
