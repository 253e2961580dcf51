package dev.gavel.app.metrics;

import dev.gavel.gateway.Gateway;
import dev.gavel.gateway.bus.shared.BusMeasures;
import dev.gavel.gateway.measure.TopicMeasures;
import dev.gavel.mcp.bridge.Status;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What this process has done and how it is, as Prometheus reads it. Thread-safe. */
public final class Metrics {
    /** What the text is, in HTTP. */
    public static final String CONTENT_TYPE = Exposition.CONTENT_TYPE;

    private final String version;
    private final Gateway gateway;
    private final Supplier<Optional<LedgerReading>> ledger;
    private final Supplier<Optional<BusMeasures>> bus;
    private final Supplier<Optional<SpanCounts>> spans;
    private final Supplier<List<Status>> bridges;
    private final Refusals refusals = new Refusals();
    private final AtomicReference<@Nullable CompletableFuture<String>> underWay = new AtomicReference<>();

    /**
     * Metrics of a gateway and what stands beside it.
     *
     * @param version the version of this build
     * @param ledger reads the ledger, where there is one
     * @param bus reads the bus, where there are other processes
     * @param spans reads what became of trace spans, where there are any
     * @param bridges says how each bridge is
     */
    public Metrics(
            String version,
            Gateway gateway,
            Supplier<Optional<LedgerReading>> ledger,
            Supplier<Optional<BusMeasures>> bus,
            Supplier<Optional<SpanCounts>> spans,
            Supplier<List<Status>> bridges) {
        this.version = version;
        this.gateway = gateway;
        this.ledger = ledger;
        this.bus = bus;
        this.spans = spans;
        this.bridges = bridges;
    }

    /** Where requests that are turned away are counted. */
    public Refusals refusals() {
        return refusals;
    }

    /**
     * The text. Whoever asks while one is being put together is given that one: however many ask, the gateway works for
     * one.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // whichever way it ends, whoever asked is told
    public CompletableFuture<String> text() {
        CompletableFuture<String> mine = new CompletableFuture<>();
        CompletableFuture<String> other = underWay.compareAndExchange(null, mine);
        if (other != null) {
            return other;
        }
        // Begun elsewhere, so that whatever goes wrong, even at once, ends this page and not those to come.
        CompletableFuture.supplyAsync(gateway::measures, Thread::startVirtualThread)
                .thenCompose(measures -> measures)
                .thenApplyAsync(this::written, Thread::startVirtualThread)
                .whenComplete((text, failure) -> {
                    underWay.set(null);
                    if (failure == null) {
                        mine.complete(text);
                    } else {
                        mine.completeExceptionally(failure);
                    }
                });
        return mine;
    }

    private String written(List<TopicMeasures> topics) {
        Exposition page = new Exposition();
        page.family("gavel_build_info", Exposition.Type.GAUGE, "1, with the version that runs.");
        page.sample(1, "version", version);
        new TopicPage(page, topics).write();
        page.family(
                "gavel_refused_visits_total",
                Exposition.Type.COUNTER,
                "Requests to a topic that were turned away at the door, by the code they were told.");
        refusals.counts().forEach((code, count) -> page.sample(count, "code", code));
        ledger.get().ifPresent(reading -> reading.write(page));
        bus.get().ifPresent(measures -> BusPage.write(page, measures));
        spans.get().ifPresent(counts -> counts.write(page));
        BridgePage.write(page, bridges.get());
        ProcessReading.write(page);
        return page.toString();
    }
}
