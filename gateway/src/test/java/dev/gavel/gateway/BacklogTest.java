package dev.gavel.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcpx.Capabilities;
import dev.gavel.mcpx.Limits;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BacklogTest {
    private static final Member ALICE =
            new Member("alice", Capabilities.compile(List.of("*")).orThrow());

    private final Verdict slow = verdict("slow", 10);
    private final Verdict quick = verdict("quick", 10);
    private final Set<Verdict> slowOnes = new HashSet<>(Set.of(slow));
    private final Backlog backlog = new Backlog(slowOnes::contains);

    private static Verdict verdict(String id, int length) {
        String text = "{\"protocol\":\"mcpx/v0.1\",\"id\":\"" + id + "\",\"kind\":\"x.y\",\"payload\":{\"a\":\""
                + "a".repeat(length) + "\"}}";
        return new Admission(Limits.DEFAULT).judge(text.getBytes(StandardCharsets.UTF_8), ALICE);
    }

    @Test
    void nothingPassesBeforeTheWelcome() {
        assertThat(backlog.passes(quick)).isFalse();
        assertThat(backlog.keep(quick)).isTrue();
        assertThat(backlog.next()).isEmpty();
        backlog.release();
        assertThat(backlog.next()).contains(quick);
        assertThat(backlog.passes(quick)).isTrue();
    }

    @Test
    void whatIsQuickWaitsForWhatIsSlowAndWhatIsSlowDoesNot() {
        backlog.release();
        backlog.sent(slow);
        assertThat(backlog.passes(slow)).isTrue();
        assertThat(backlog.passes(quick)).isFalse();
        backlog.keep(quick);
        backlog.keep(slow);
        assertThat(backlog.passes(slow)).as("behind what waits").isFalse();
        assertThat(backlog.next()).isEmpty();
        backlog.back();
        assertThat(backlog.next()).contains(quick);
        assertThat(backlog.next()).contains(slow);
        assertThat(backlog.next()).isEmpty();
    }

    @Test
    void onlySoMuchWaits() {
        Verdict large = verdict("large", 900_000);
        slowOnes.add(large);
        backlog.release();
        int taken = 0;
        while (backlog.passes(large) && taken < 100) {
            backlog.sent(large);
            taken++;
        }
        assertThat(taken).isEqualTo(4);
        assertThat(backlog.keep(large)).isFalse();
        backlog.back();
        assertThat(backlog.passes(large)).isTrue();
    }

    @Test
    void onlySoManyWait() {
        backlog.release();
        backlog.sent(slow);
        int kept = 0;
        while (backlog.keep(quick)) {
            kept++;
        }
        assertThat(kept).isEqualTo(1023);
    }
}
