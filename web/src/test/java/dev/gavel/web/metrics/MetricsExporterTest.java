package dev.gavel.web.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.gateway.Gateway;
import dev.gavel.ledger.executor.FairExecutor;
import dev.gavel.mcpx.EnvelopeLimits;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Tests that concurrent scrapes share one rendering and that a failure ends only that one. */
class MetricsExporterTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    @Test
    void aFailedPageDoesNotBlockTheNext() {
        Gateway gateway = new Gateway(
                Map.of(),
                List.of(),
                new Gateway.GatewayLimits(EnvelopeLimits.DEFAULT, 1, 1),
                FairExecutor.unlimited(Runnable::run),
                InstantSource.system());
        AtomicBoolean broken = new AtomicBoolean(true);
        MetricsExporter metricsExporter = new MetricsExporter(
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
                List::of,
                () -> new ConnectionLimitCounts(0, Map.of()));

        assertThat(metricsExporter.render()).failsWithin(TIMEOUT);
        broken.set(false);
        assertThat(metricsExporter.render()).succeedsWithin(TIMEOUT).asString().contains("gavel_build_info");
    }
}
