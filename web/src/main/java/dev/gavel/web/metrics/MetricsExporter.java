package dev.gavel.web.metrics;

import dev.gavel.gateway.Gateway;
import dev.gavel.gateway.bus.cluster.BusMetrics;
import dev.gavel.gateway.metrics.TopicMetrics;
import dev.gavel.mcp.bridge.BridgeStatus;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Collects the metrics of the gateway, ledger, bus, traces, bridges and JVM into one Prometheus page. Thread-safe. */
public final class MetricsExporter {
    /** What the text is, in HTTP. */
    public static final String CONTENT_TYPE = PrometheusWriter.CONTENT_TYPE;

    private final String version;
    private final Gateway gateway;
    private final Supplier<Optional<LedgerMetrics>> ledger;
    private final Supplier<Optional<BusMetrics>> bus;
    private final Supplier<Optional<SpanExportCounts>> spanCounts;
    private final Supplier<List<BridgeStatus>> bridges;
    private final RefusedRequestCounter refusedRequests = new RefusedRequestCounter();
    private final AtomicReference<@Nullable CompletableFuture<String>> renderInProgress = new AtomicReference<>();

    /**
     * Metrics of a gateway and what stands beside it.
     *
     * @param version the version of this build
     * @param ledger reads the ledger, where there is one
     * @param bus reads the bus, where there are other processes
     * @param spans reads what became of trace spans, where there are any
     * @param bridges says how each bridge is
     */
    public MetricsExporter(
            String version,
            Gateway gateway,
            Supplier<Optional<LedgerMetrics>> ledger,
            Supplier<Optional<BusMetrics>> bus,
            Supplier<Optional<SpanExportCounts>> spans,
            Supplier<List<BridgeStatus>> bridges) {
        this.version = version;
        this.gateway = gateway;
        this.ledger = ledger;
        this.bus = bus;
        this.spanCounts = spans;
        this.bridges = bridges;
    }

    /** Where requests that are turned away are counted. */
    public RefusedRequestCounter refusedRequests() {
        return refusedRequests;
    }

    /**
     * The text. Whoever asks while one is being put together is given that one: however many ask, the gateway works for
     * one.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // whichever way it ends, whoever asked is told
    public CompletableFuture<String> render() {
        CompletableFuture<String> mine = new CompletableFuture<>();
        CompletableFuture<String> other = renderInProgress.compareAndExchange(null, mine);
        if (other != null) {
            return other;
        }
        // Begun elsewhere, so that whatever goes wrong, even at once, ends this page and not those to come.
        CompletableFuture.supplyAsync(gateway::metrics, Thread::startVirtualThread)
                .thenCompose(measures -> measures)
                .thenApplyAsync(this::renderTopics, Thread::startVirtualThread)
                .whenComplete((text, failure) -> {
                    renderInProgress.set(null);
                    if (failure == null) {
                        mine.complete(text);
                    } else {
                        mine.completeExceptionally(failure);
                    }
                });
        return mine;
    }

    private String renderTopics(List<TopicMetrics> topics) {
        PrometheusWriter page = new PrometheusWriter();
        page.family("gavel_build_info", PrometheusWriter.MetricType.GAUGE, "1, with the version that runs.");
        page.sample(1, "version", version);
        new TopicMetricsWriter(page, topics).write();
        page.family(
                "gavel_refused_visits_total",
                PrometheusWriter.MetricType.COUNTER,
                "Requests to a topic that were turned away at the door, by the code they were told.");
        refusedRequests.counts().forEach((code, count) -> page.sample(count, "code", code));
        ledger.get().ifPresent(reading -> reading.write(page));
        bus.get().ifPresent(measures -> BusMetricsWriter.write(page, measures));
        spanCounts.get().ifPresent(counts -> counts.write(page));
        BridgeMetricsWriter.write(page, bridges.get());
        JvmMetricsWriter.write(page);
        return page.toString();
    }
}
