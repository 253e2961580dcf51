package dev.gavel.client;

import dev.gavel.client.http.Problem;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.KindRule;
import dev.gavel.mcpx.draft.Payloads;
import dev.gavel.mcpx.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The proposals whose ends are awaited. Ends are told by envelopes; those that none tells of, and guidance, are looked
 * up. Thread-safe.
 */
final class Pendings {
    /** No envelope says that an outcome has become unknown. */
    private static final Duration LOOK = Duration.ofSeconds(15);

    /** Somebody who left may come back for two seconds before it counts. */
    private static final Duration AFTER_LEAVING = Duration.ofSeconds(3);

    /** Not at once: whoever sends such envelopes says how often they come. */
    private static final Duration WHEN_IN_DOUBT = Duration.ofSeconds(1);

    private final Map<String, Waiting> byId = new HashMap<>();
    private final Map<String, Waiting> byRequest = new HashMap<>();
    private @Nullable Lookups lookups;

    private static final class Waiting {
        final Pending pending;
        final Course course;
        String shown = "";

        /** Why it seems not to be kept, while that is being looked up. */
        @Nullable
        Problem doubt;

        Waiting(Pending pending, String proposer) {
            this.pending = pending;
            this.course = new Course(pending.id(), proposer);
        }

        boolean awaitsAnswer() {
            return course.request().isPresent();
        }
    }

    synchronized void start(Lookups with) {
        lookups = with;
    }

    synchronized void add(Pending pending, String proposer) {
        if (byId.putIfAbsent(pending.id(), new Waiting(pending, proposer)) != null) {
            throw new IllegalArgumentException("the proposal " + pending.id() + " is awaited already");
        }
    }

    /** The gateway keeps it. */
    synchronized void accepted(String id) {
        Waiting waiting = byId.get(id);
        if (waiting != null) {
            waiting.pending.accept();
            if (waiting.pending.wantsGuidance() || waiting.pending.mayBeOlder()) {
                look(waiting, Duration.ZERO);
            }
        }
    }

    /** The gateway said that it does not take it, or it seems so. */
    synchronized void refused(String id, Problem problem) {
        Waiting waiting = byId.get(id);
        if (waiting == null) {
            return;
        }
        if (lookups != null && mayBeKept(problem)) {
            waiting.doubt = problem;
            lookups.now(id);
        } else {
            ended(waiting, new End.Refused(id, problem));
        }
    }

    /** It may have been kept before the ledger was away; and which frame was too large nobody said. */
    private static boolean mayBeKept(Problem problem) {
        return problem.code().equals("unavailable") || problem.code().equals("too_large");
    }

    private void ended(Waiting waiting, End how) {
        byId.remove(waiting.pending.id());
        waiting.course.request().ifPresent(byRequest::remove);
        waiting.pending.end(how);
    }

    synchronized void hear(Envelope envelope) {
        if (envelope.kind().toString().equals("system.presence")) {
            presence(Payloads.of(envelope));
            return;
        }
        // An answer is one to the request; nothing else is about that.
        Map<String, Waiting> meant = envelope.rule() == KindRule.RESPONSE ? byRequest : byId;
        for (String id : envelope.correlationIds()) {
            Waiting waiting = meant.get(id);
            if (waiting != null) {
                hear(waiting, envelope);
            }
        }
    }

    private void hear(Waiting waiting, Envelope envelope) {
        Optional<End> end = waiting.course.hear(envelope);
        if (end.isPresent()) {
            ended(waiting, end.get());
            return;
        }
        awaitAnswer(waiting);
        if (envelope.rule() == KindRule.RESPONSE || envelope.rule() == KindRule.WITHDRAW) {
            look(waiting, WHEN_IN_DOUBT);
        } else if (waiting.pending.wantsGuidance()) {
            look(waiting, Duration.ZERO);
        }
    }

    private void awaitAnswer(Waiting waiting) {
        waiting.course.request().ifPresent(request -> {
            byRequest.put(request, waiting);
            look(waiting, LOOK);
        });
    }

    private void presence(Json payload) {
        String who = payload.at("participant").at("id").text();
        boolean left = payload.at("event").text().equals("leave");
        for (Waiting waiting : byId.values()) {
            if ((left && waiting.course.awaits(who)) || waiting.pending.wantsGuidance()) {
                look(waiting, left ? AFTER_LEAVING : Duration.ofSeconds(1));
            }
        }
    }

    private void look(Waiting waiting, Duration wait) {
        if (lookups == null || !waiting.pending.isAccepted()) {
            return;
        }
        if (wait.isZero()) {
            lookups.now(waiting.pending.id());
        } else {
            lookups.after(waiting.pending.id(), wait);
        }
    }

    /**
     * The connection is back, or what happened meanwhile is not told. Not everything ever is; and the ledger may be
     * another one than before, which nobody tells either.
     */
    synchronized void up() {
        byId.values().forEach(waiting -> look(waiting, Duration.ZERO));
    }

    synchronized void found(String id, Optional<Json> view) {
        Waiting waiting = byId.get(id);
        if (waiting == null) {
            return;
        }
        Problem doubt = waiting.doubt;
        if (doubt != null) {
            waiting.doubt = null;
            if (view.filter(waiting.course::isOf).isEmpty()) {
                ended(waiting, new End.Refused(id, doubt));
                return;
            }
            waiting.pending.accept();
        }
        Optional<End> end = view.isEmpty() ? Optional.of(waiting.course.forgotten()) : waiting.course.look(view.get());
        if (end.isPresent()) {
            ended(waiting, end.get());
            return;
        }
        Guidance guidance = Guidance.of(view.orElseThrow().at("guidance"));
        if (waiting.awaitsAnswer()) {
            if (!byRequest.containsValue(waiting)) {
                // Its answer may have come before it was known that this is one.
                look(waiting, WHEN_IN_DOUBT);
            }
            awaitAnswer(waiting);
            guidance.until()
                    .map(until -> Duration.between(Instant.now(), until.plusSeconds(1)))
                    .filter(wait -> wait.isPositive() && wait.compareTo(LOOK) < 0)
                    .ifPresent(wait -> look(waiting, wait));
        }
        if (!guidance.status().equals(waiting.shown)) {
            waiting.shown = guidance.status();
            waiting.pending.guide(guidance);
        }
    }

    synchronized void fail(String id, GavelException why) {
        Waiting waiting = byId.remove(id);
        if (waiting != null) {
            waiting.pending.fail(why);
        }
    }

    synchronized void over(GavelException why) {
        List<Waiting> all = new ArrayList<>(byId.values());
        byId.clear();
        byRequest.clear();
        all.forEach(waiting -> waiting.pending.fail(why));
    }
}
