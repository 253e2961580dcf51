package dev.gavel.app.server;

import dev.gavel.app.config.Config;
import dev.gavel.app.register.Register;
import dev.gavel.app.sepdesk.DeskMember;
import dev.gavel.gateway.Gateway;
import dev.gavel.gateway.Topic;
import dev.gavel.ledger.lease.Leases;
import dev.gavel.mcp.bridge.SeatVenue;
import dev.gavel.mcpx.Limits;
import dev.gavel.sep.desk.LedgerDesk;
import dev.gavel.sep.desk.Reply;
import dev.gavel.sep.sweep.Patience;
import dev.gavel.sep.sweep.WebhookSender;
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
 * What one process does for the SEP desk of all that share its ledger: it sits in a topic, tells webhooks, and does what is
 * due by the clock. Begins and ends with a lease. Thread-safe.
 */
final class SepDuties implements Leases.Holder, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(SepDuties.class);

    /** A server that has just begun has other things to do. */
    private static final Duration FIRST_SWEEP = Duration.ofMinutes(1);

    private final Config config;
    private final LedgerDesk desk;
    private final Supplier<Register> register;
    private final Gateway gateway;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("gavel-sweep").factory());
    private @Nullable Turn turn;

    SepDuties(Config config, LedgerDesk desk, Supplier<Register> register, Gateway gateway) {
        this.config = config;
        this.desk = desk;
        this.register = register;
        this.gateway = gateway;
    }

    /** One time of doing all this. */
    private final class Turn {
        private final Leases.Term term;
        private final Optional<DeskMember> member;
        private final Optional<WebhookSender> webhooks;
        private final Optional<ScheduledFuture<?>> sweeps;
        private volatile boolean over;

        Turn(Leases.Term term) {
            this.term = term;
            this.member = config.sep().topic().flatMap(gateway::topic).map(this::member);
            this.webhooks = config.sep().webhooks().isEmpty()
                    ? Optional.empty()
                    : Optional.of(new WebhookSender(
                            config.sep().webhooks(),
                            desk.outbox(config.publicUrl()),
                            desk.told(),
                            Patience.usual(),
                            this::holds));
            this.sweeps = config.sep().sweep().map(this::sweepEvery);
            member.ifPresent(DeskMember::start);
            webhooks.ifPresent(WebhookSender::start);
        }

        private boolean holds() {
            return !over && term.holds();
        }

        private DeskMember member(Topic topic) {
            return new DeskMember(
                    new SeatVenue(gateway, topic, DeskMember.NAME, this::holds),
                    desk,
                    identity -> register.get().roles(identity),
                    Limits.DEFAULT.withBytes(config.limits().frame()));
        }

        private ScheduledFuture<?> sweepEvery(Duration time) {
            Duration first = time.compareTo(FIRST_SWEEP) < 0 ? time : FIRST_SWEEP;
            return clock.scheduleWithFixedDelay(this::sweep, first.toMillis(), time.toMillis(), TimeUnit.MILLISECONDS);
        }

        private void sweep() {
            try {
                if (holds()) {
                    Reply reply = desk.sweep().toCompletableFuture().join();
                    if (!(reply instanceof Reply.Done)) {
                        log.warn("what is due with SEPs could not be done: {}", reply);
                    }
                }
            } catch (RuntimeException e) {
                log.error("what is due with SEPs could not be done", e);
            }
        }

        void end() {
            over = true;
            sweeps.ifPresent(all -> all.cancel(false));
            member.ifPresent(DeskMember::close);
            webhooks.ifPresent(WebhookSender::close);
        }
    }

    @Override
    public synchronized void begin(Leases.Term term) {
        if (turn == null && !clock.isShutdown()) {
            turn = new Turn(term);
        }
    }

    @Override
    public synchronized void end() {
        if (turn != null) {
            turn.end();
            turn = null;
        }
    }

    /** There may be something to tell. */
    synchronized void wake() {
        if (turn != null) {
            turn.webhooks.ifPresent(WebhookSender::wake);
        }
    }

    @Override
    public synchronized void close() {
        clock.shutdownNow();
        end();
    }
}
