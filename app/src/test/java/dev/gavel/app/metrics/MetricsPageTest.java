package dev.gavel.app.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.gateway.Gateway;
import dev.gavel.mcpx.Limits;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class MetricsPageTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @Test
    void aPageThatCannotBeWrittenDoesNotKeepTheNextFromBeingRead() {
        Gateway gateway = new Gateway(
                Map.of(), List.of(), new Gateway.Bounds(Limits.DEFAULT, 1, 1), Runnable::run, InstantSource.system());
        AtomicBoolean broken = new AtomicBoolean(true);
        Metrics metrics = new Metrics(
                "test",
                gateway,
                () -> {
                    if (broken.get()) {
                        throw new IllegalStateException("no ledger to be read");
                    }
                    return Optional.empty();
                },
                Optional::empty,
                Optional::empty,
                List::of);

        assertThat(metrics.text()).failsWithin(PATIENCE);
        broken.set(false);
        assertThat(metrics.text()).succeedsWithin(PATIENCE).asString().contains("gavel_build_info");
    }
}
