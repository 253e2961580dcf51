package dev.gavel.gateway;

import dev.gavel.gateway.docket.Decision;
import dev.gavel.gateway.docket.Docket;
import dev.gavel.gateway.docket.Standing;
import dev.gavel.gateway.proposal.ProposalRules;
import io.netty.util.concurrent.EventExecutor;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Sees to what people's coming and going means for proposals: whether somebody is there who could take one, and whether
 * anybody is left to answer. Works in bounded turns, one at a time. Confined to the topic's loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what is scheduled here does not fail, and nobody waits for it
final class Usher {
    /** After that every process has been heard of that is there, and the lease of every other is over. */
    private static final Duration SETTLING = Duration.ofSeconds(7);

    private final Docket docket;
    private final EventExecutor loop;
    private final InstantSource clock;
    private final Attendance attendance;
    private final Watch watch;
    private final Consumer<Decision.Made> publish;

    /** Proposals to be looked at, by id. */
    private final Map<String, Standing> waiting = new LinkedHashMap<>();

    /** Until then somebody who left may come back before it counts. */
    private Instant graceEnds;

    /** Until then it counts for nothing who is not here. */
    private Instant settles = Instant.MIN;

    private boolean planned;
    private boolean busy;
    private boolean stopped;
    private boolean suspended;

    Usher(
            Docket docket,
            EventExecutor loop,
            InstantSource clock,
            Attendance attendance,
            Watch watch,
            Consumer<Decision.Made> publish) {
        this.docket = docket;
        this.loop = loop;
        this.clock = clock;
        this.attendance = attendance;
        this.watch = watch;
        this.publish = publish;
        this.graceEnds = clock.instant().plus(ProposalRules.GRACE);
    }

    /** Somebody came: what nobody could take may be within reach now. */
    void came() {
        consider(watch.needingAttention(watch.all(), attendance::isHere).stream()
                .filter(Standing::unreachable)
                .toList());
    }

    /** Somebody left: that counts when their grace is over. */
    void left() {
        Instant now = clock.instant().plus(ProposalRules.GRACE);
        graceEnds = now.isAfter(settles) ? now : settles;
        plan();
    }

    /**
     * Proposals changed: somebody may have come or gone while that was being written. Not at once, since another process
     * that sees others here than this one would answer at once, too, and neither would ever end.
     */
    void look(List<Standing> changed) {
        if (!watch.needingAttention(changed, attendance::isHere).isEmpty()) {
            Instant now = clock.instant().plus(ProposalRules.GRACE);
            graceEnds = now.isAfter(graceEnds) ? now : graceEnds;
            plan();
        }
    }

    /** Has everything looked at when everybody's grace is over. */
    void plan() {
        if (!planned) {
            planned = true;
            long millis = Math.max(0, clock.instant().until(graceEnds).toMillis());
            loop.schedule(this::lookAround, millis + 1, TimeUnit.MILLISECONDS);
        }
    }

    private void lookAround() {
        planned = false;
        if (suspended) {
            return;
        }
        if (!clock.instant().isBefore(settles)) {
            consider(watch.needingAttention(watch.all(), attendance::isHere));
        }
        if (clock.instant().isBefore(graceEnds)) {
            plan();
        }
    }

    private void consider(List<Standing> standings) {
        standings.forEach(standing -> waiting.put(standing.id(), standing));
        turn();
    }

    /** It is not known who is there: nothing follows from it. */
    void suspend() {
        suspended = true;
    }

    /** It is known again, as soon as everybody has had the time to say that they are there. */
    void resume() {
        suspended = false;
        settles = clock.instant().plus(SETTLING);
        graceEnds = settles;
        plan();
    }

    /** Takes no more notice: that everybody leaves a process that ends means nothing. */
    void stop() {
        stopped = true;
    }

    private void turn() {
        if (busy || stopped || suspended || waiting.isEmpty()) {
            return;
        }
        Turn next = new Turn();
        Iterator<Standing> remaining = waiting.values().iterator();
        while (remaining.hasNext() && !next.isFull()) {
            next.add(remaining.next());
            remaining.remove();
        }
        busy = true;
        docket.attend(
                next.proposals(),
                attendance.presence(),
                decision -> loop.execute(() -> attended(next.proposals(), decision)));
    }

    private void attended(List<Standing> looked, Decision decision) {
        if (decision instanceof Decision.Made made) {
            busy = false;
            publish.accept(made);
            turn();
        } else {
            looked.forEach(standing -> waiting.putIfAbsent(standing.id(), standing));
            loop.schedule(this::tryAgain, Timekeeper.RETRY_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void tryAgain() {
        busy = false;
        turn();
    }
}
