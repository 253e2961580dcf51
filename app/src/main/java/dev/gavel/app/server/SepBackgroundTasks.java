package dev.gavel.app.server;

import dev.gavel.app.config.ServerConfig;
import dev.gavel.gateway.Gateway;
import dev.gavel.gateway.topic.Topic;
import dev.gavel.ledger.lease.LeaseService;
import dev.gavel.mcp.bridge.LocalTopicConnector;
import dev.gavel.sep.notification.DeliveryRetryPolicy;
import dev.gavel.sep.notification.MailChannel;
import dev.gavel.sep.notification.NotificationChannel;
import dev.gavel.sep.notification.NotificationSender;
import dev.gavel.sep.notification.WebhookChannel;
import dev.gavel.sep.service.LedgerSepService;
import dev.gavel.sep.service.SepResult;
import dev.gavel.web.http.ApiBaseUrl;
import dev.gavel.web.registry.RegistrySnapshot;
import dev.gavel.web.sep.SepServiceParticipant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
 * Runs SEP background work in the one gateway process that holds the lease: notifications, due actions and answers to SEP
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
        private final Optional<NotificationSender> notifications;
        private final Optional<ScheduledFuture<?>> sweeps;
        private volatile boolean ended;

        ActiveTerm(LeaseService.LeaseTerm term) {
            this.term = term;
            this.member = config.sepConfig().topic().flatMap(gateway::topic).map(this::member);
            DeliveryRetryPolicy retryPolicy = DeliveryRetryPolicy.defaults();
            List<NotificationChannel> channels = channels(config.sepConfig(), retryPolicy.responseTimeout());
            this.notifications = channels.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new NotificationSender(
                            channels,
                            sepService.notificationReaders(ApiBaseUrl.shareable(config.publicUrl())),
                            sepService.deliveryCursors(),
                            retryPolicy,
                            this::holds));
            this.sweeps = config.sepConfig().sweep().map(this::sweepEvery);
            member.ifPresent(SepServiceParticipant::start);
            notifications.ifPresent(NotificationSender::start);
        }

        private boolean holds() {
            return !ended && term.isHeld();
        }

        private SepServiceParticipant member(Topic topic) {
            return new SepServiceParticipant(
                    new LocalTopicConnector(gateway, topic, SepServiceParticipant.NAME, this::holds),
                    sepService,
                    identity -> registry.get().roles(identity),
                    config.limits().envelopes(),
                    config.sepConfig().processDefinition().terms());
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
                        log.warn("The sweep of specification proposals failed: {}", sepResult);
                    }
                }
            } catch (RuntimeException e) {
                log.error("The sweep of specification proposals failed.", e);
            }
        }

        void end() {
            ended = true;
            sweeps.ifPresent(all -> all.cancel(false));
            member.ifPresent(SepServiceParticipant::close);
            notifications.ifPresent(NotificationSender::close);
        }
    }

    /** The channels that the configuration names: webhooks, and the mailboxes of people. */
    private static List<NotificationChannel> channels(ServerConfig.SepConfig sepConfig, Duration responseTimeout) {
        List<NotificationChannel> channels = new ArrayList<>();
        sepConfig.webhooks().stream()
                .distinct()
                .forEach(hook -> channels.add(new WebhookChannel(hook, sepConfig.contacts(), responseTimeout)));
        sepConfig
                .mail()
                .ifPresent(mail -> sepConfig
                        .contacts()
                        .forEach((person, contact) -> contact.mail()
                                .ifPresent(address ->
                                        channels.add(new MailChannel(mail, person, address, responseTimeout)))));
        return channels;
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

    /** Wakes the sender of notifications, because there may be new notifications. */
    synchronized void wakeSender() {
        if (activeTerm != null) {
            activeTerm.notifications.ifPresent(NotificationSender::wake);
        }
    }

    @Override
    public synchronized void close() {
        scheduler.shutdownNow();
        onRelease();
    }
}
