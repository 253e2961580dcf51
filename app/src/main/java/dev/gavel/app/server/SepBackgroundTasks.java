package dev.gavel.app.server;

import dev.gavel.app.config.ServerConfig;
import dev.gavel.gateway.Gateway;
import dev.gavel.gateway.topic.Topic;
import dev.gavel.ledger.lease.LeaseService;
import dev.gavel.mcp.bridge.LocalTopicConnector;
import dev.gavel.sep.notification.WebhookRetryPolicy;
import dev.gavel.sep.notification.WebhookSender;
import dev.gavel.sep.service.LedgerSepService;
import dev.gavel.sep.service.SepResult;
import dev.gavel.web.http.ApiBaseUrl;
import dev.gavel.web.registry.RegistrySnapshot;
import dev.gavel.web.sep.SepServiceParticipant;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs SEP background work in the one gateway process that holds the lease: webhooks, due actions and answers to SEP
 * requests in a topic. Starts and stops with the lease. Thread-safe.
 */
final class SepBackgroundTasks implements LeaseService.LeaseListener, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(SepBackgroundTasks.class);

    /** Delays the first sweep, because a server that has just started has more urgent work. */
    private static final Duration FIRST_SWEEP_DELAY = Duration.ofMinutes(1);

    private final ServerConfig config;
    private final LedgerSepService sepService;
    private final Supplier<RegistrySnapshot> registry;
    private final Gateway gateway;
    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("gavel-sweep").factory());
    private @Nullable ActiveTerm activeTerm;

    SepBackgroundTasks(
            ServerConfig config,
            LedgerSepService sepService,
            Supplier<RegistrySnapshot> registrySnapshot,
            Gateway gateway) {
        this.config = config;
        this.sepService = sepService;
        this.registry = registrySnapshot;
        this.gateway = gateway;
    }

    /** The tasks during one term of the lease. */
    private final class ActiveTerm {
        private final LeaseService.LeaseTerm term;
        private final Optional<SepServiceParticipant> member;
        private final Optional<WebhookSender> webhooks;
        private final Optional<ScheduledFuture<?>> sweeps;
        private volatile boolean ended;

        ActiveTerm(LeaseService.LeaseTerm term) {
            this.term = term;
            this.member = config.sepConfig().topic().flatMap(gateway::topic).map(this::member);
            this.webhooks = config.sepConfig().webhooks().isEmpty()
                    ? Optional.empty()
                    : Optional.of(new WebhookSender(
                            config.sepConfig().webhooks(),
                            sepService.notificationReader(ApiBaseUrl.shareable(config.publicUrl())),
                            sepService.webhookCursors(),
                            WebhookRetryPolicy.defaults(),
                            this::holds));
            this.sweeps = config.sepConfig().sweep().map(this::sweepEvery);
            member.ifPresent(SepServiceParticipant::start);
            webhooks.ifPresent(WebhookSender::start);
        }

        private boolean holds() {
            return !ended && term.isHeld();
        }

        private SepServiceParticipant member(Topic topic) {
            return new SepServiceParticipant(
                    new LocalTopicConnector(gateway, topic, SepServiceParticipant.NAME, this::holds),
                    sepService,
                    identity -> registry.get().roles(identity),
                    config.limits().envelopes());
        }

        private ScheduledFuture<?> sweepEvery(Duration time) {
            Duration first = time.compareTo(FIRST_SWEEP_DELAY) < 0 ? time : FIRST_SWEEP_DELAY;
            return scheduler.scheduleWithFixedDelay(
                    this::sweep, first.toMillis(), time.toMillis(), TimeUnit.MILLISECONDS);
        }

        private void sweep() {
            try {
                if (holds()) {
                    SepResult sepResult =
                            sepService.sweep().toCompletableFuture().join();
                    if (!(sepResult instanceof SepResult.Success)) {
                        log.warn("The sweep of SEPs failed: {}", sepResult);
                    }
                }
            } catch (RuntimeException e) {
                log.error("The sweep of SEPs failed.", e);
            }
        }

        void end() {
            ended = true;
            sweeps.ifPresent(all -> all.cancel(false));
            member.ifPresent(SepServiceParticipant::close);
            webhooks.ifPresent(WebhookSender::close);
        }
    }

    @Override
    public synchronized void onAcquire(LeaseService.LeaseTerm term) {
        if (activeTerm == null && !scheduler.isShutdown()) {
            activeTerm = new ActiveTerm(term);
        }
    }

    @Override
    public synchronized void onRelease() {
        if (activeTerm != null) {
            activeTerm.end();
            activeTerm = null;
        }
    }

    /** Wakes the webhook sender, because there may be new notifications. */
    synchronized void notifyWebhooks() {
        if (activeTerm != null) {
            activeTerm.webhooks.ifPresent(WebhookSender::wake);
        }
    }

    @Override
    public synchronized void close() {
        scheduler.shutdownNow();
        onRelease();
    }
}
