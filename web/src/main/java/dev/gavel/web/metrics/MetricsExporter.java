package dev.gavel.web.metrics;

import dev.gavel.gateway.Gateway;
import dev.gavel.gateway.bus.cluster.BusMetricsSnapshot;
import dev.gavel.gateway.metrics.TopicMetricsSnapshot;
import dev.gavel.mcp.bridge.BridgeStatus;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Collects the metrics of the gateway, ledger, bus, traces, bridges and JVM into one Prometheus page. Thread-safe. */
public final class MetricsExporter {
    /** The HTTP content type of the page. */
    public static final String CONTENT_TYPE = PrometheusWriter.CONTENT_TYPE;

    private final String version;
    private final Gateway gateway;
    private final Supplier<Optional<LedgerMetricsSnapshot>> ledger;
    private final Supplier<Optional<BusMetricsSnapshot>> bus;
    private final Supplier<Optional<SpanExportCounts>> spanCounts;
    private final Supplier<List<BridgeStatus>> bridges;
    private final Supplier<ConnectionLimitCounts> connectionLimits;
    private final RefusedRequestCounter refusedRequests = new RefusedRequestCounter();
    private final RefusedRequestCounter failedSignIns = new RefusedRequestCounter();
    private final AtomicReference<@Nullable CompletableFuture<String>> renderInProgress = new AtomicReference<>();

    /**
     * Creates the exporter of a gateway and the parts beside it.
     *
     * @param version the version of this build
     * @param ledger reads the ledger's metrics; empty if there is no ledger
     * @param bus reads the bus metrics; empty if there are no other processes
     * @param spanCounts reads the counts of exported trace spans; empty if tracing is off
     * @param bridges returns the status of each bridge
     * @param connectionLimits counts the connections that have not authenticated
     */
    public MetricsExporter(
            String version,
            Gateway gateway,
            Supplier<Optional<LedgerMetricsSnapshot>> ledger,
            Supplier<Optional<BusMetricsSnapshot>> bus,
            Supplier<Optional<SpanExportCounts>> spanCounts,
            Supplier<List<BridgeStatus>> bridges,
            Supplier<ConnectionLimitCounts> connectionLimits) {
        this.version = version;
        this.gateway = gateway;
        this.ledger = ledger;
        this.bus = bus;
        this.spanCounts = spanCounts;
        this.bridges = bridges;
        this.connectionLimits = connectionLimits;
    }

    /** Returns how many messages of bridged servers could not be forwarded since the process started. */
    public long undeliveredMessages() {
        return bridges.get().stream()
                .mapToLong(bridge -> bridge.undelivered().count())
                .sum();
    }

    /** The counter of refused requests. */
    public RefusedRequestCounter refusedRequests() {
        return refusedRequests;
    }

    /** The counter of failed sign-ins to the console, by reason. */
    public RefusedRequestCounter failedSignIns() {
        return failedSignIns;
    }

    /**
     * Renders the page. A call while a page is being rendered returns that page, so that the gateway renders only one
     * however many clients request it.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // the returned future completes either way
    public CompletableFuture<String> render() {
        CompletableFuture<String> future = new CompletableFuture<>();
        CompletableFuture<String> running = renderInProgress.compareAndExchange(null, future);
        if (running != null) {
            return running;
        }
        // Started on another thread, so that any failure, even an immediate one, ends this page and not later ones.
        CompletableFuture.supplyAsync(gateway::metrics, Thread::startVirtualThread)
                .thenCompose(metrics -> metrics)
                .thenApplyAsync(this::renderTopics, Thread::startVirtualThread)
                .whenComplete((text, failure) -> {
                    renderInProgress.set(null);
                    if (failure == null) {
                        future.complete(text);
                    } else {
                        future.completeExceptionally(failure);
                    }
                });
        return future;
    }

    private String renderTopics(List<TopicMetricsSnapshot> topics) {
        PrometheusWriter writer = new PrometheusWriter();
        writer.startFamily(
                "gavel_build_info", PrometheusWriter.MetricType.GAUGE, "Always 1, labelled with the running version.");
        writer.writeSample(1, "version", version);
        new TopicMetricsWriter(writer, topics).write();
        writer.startFamily(
                "gavel_refused_visits_total",
                PrometheusWriter.MetricType.COUNTER,
                "Requests to topics that were refused before they reached the topic, by error code.");
        refusedRequests.counts().forEach((code, count) -> writer.writeSample(count, "code", code));
        writer.startFamily(
                "gavel_failed_sign_ins_total",
                PrometheusWriter.MetricType.COUNTER,
                "Sign-ins to the console that failed, by reason.");
        failedSignIns.counts().forEach((reason, count) -> writer.writeSample(count, "reason", reason));
        connectionLimits.get().write(writer);
        ledger.get().ifPresent(ledgerMetricsSnapshot -> ledgerMetricsSnapshot.write(writer));
        bus.get().ifPresent(metrics -> BusMetricsWriter.write(writer, metrics));
        spanCounts.get().ifPresent(counts -> counts.write(writer));
        BridgeMetricsWriter.write(writer, bridges.get());
        JvmMetricsWriter.write(writer);
        return writer.toString();
    }
}
