package dev.gavel.gateway;

import dev.gavel.gateway.bus.Parcel;
import dev.gavel.gateway.delivery.Outgoing;
import dev.gavel.gateway.measure.TopicCounters;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.ErrorCode;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.Spelling;
import dev.gavel.mcpx.SystemMessage;
import dev.gavel.mcpx.SystemMessage.Failure;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Takes what members send to a topic, in order: sends it on, or has it decided first where it is about proposals. Confined
 * to the topic's loop, but for {@link #post}.
 */
final class Intake {
    private final Roll roll;
    private final Attendance attendance;
    private final Audience audience;
    private final TopicCounters counters;
    private final Notices notices;
    private final InstantSource clock;
    private final Executor run;
    private final PlainRequests plainRequests = new PlainRequests();

    private final Courier courier;

    /** Null where the topic has no ledger, and proposals are envelopes like any other. */
    private final @Nullable Proceedings proceedings;

    /**
     * The intake of a topic.
     *
     * @param run does something on the topic's loop: at once if that is where we are
     * @param courier takes what is about no proposal
     */
    Intake(
            Roll roll,
            Attendance attendance,
            Audience audience,
            TopicCounters counters,
            Surroundings surroundings,
            Executor run,
            Courier courier,
            @Nullable Proceedings proceedings) {
        this.roll = roll;
        this.attendance = attendance;
        this.audience = audience;
        this.counters = counters;
        this.notices = surroundings.notices();
        this.clock = surroundings.clock();
        this.run = run;
        this.courier = courier;
        this.proceedings = proceedings;
    }

    /** Takes an envelope that came without a connection. */
    CompletionStage<Posted> post(Member member, Verdict verdict) {
        return switch (verdict) {
            case Verdict.Refuse refused -> {
                count(refused);
                yield CompletableFuture.completedStage(new Posted.Refused(List.of(refused.failure(member))));
            }
            case Verdict.Admit(Envelope envelope) -> {
                CompletableFuture<Posted> answer = new CompletableFuture<>();
                run.execute(() -> {
                    try {
                        take(new Posting(member, envelope.id(), answer), envelope, verdict);
                    } catch (RuntimeException e) {
                        answer.completeExceptionally(e);
                    }
                });
                yield answer;
            }
        };
    }

    private void take(Posting posting, Envelope envelope, Verdict verdict) {
        Addressed addressed = address(posting, envelope);
        if (proceedings != null && isSlow(verdict)) {
            decide(proceedings, addressed);
        } else {
            posting.settled(route(addressed));
        }
    }

    /** Takes what a connection sent, in order. */
    void receive(Connection sender, List<Verdict> judged) {
        for (Verdict verdict : judged) {
            if (sender.gone()) {
                // Closed meanwhile, perhaps by what came before: who has left says nothing more.
                return;
            }
            if (sender.backlog().passes(verdict)) {
                handle(sender, verdict);
            } else if (!sender.backlog().keep(verdict)) {
                refuse(sender, verdict);
            }
        }
    }

    private void refuse(Connection sender, Verdict verdict) {
        Verdict.Refuse refused = switch (verdict) {
            case Verdict.Refuse already -> already;
            case Verdict.Admit(Envelope envelope) ->
                new Verdict.Refuse(
                        envelope.refuse(
                                ErrorCode.UNAVAILABLE,
                                "Too much that you sent still waits to be written to the ledger; try again later."),
                        1000);
        };
        count(refused);
        sender.refused(refused.failure(sender.member()), clock.instant());
    }

    private void count(Verdict.Refuse refused) {
        counters.refused(refused.refusal().kind(), refused.refusal().code());
    }

    private void handle(Connection sender, Verdict verdict) {
        switch (verdict) {
            case Verdict.Admit(Envelope envelope) -> {
                respell(sender, envelope.spelling());
                Addressed addressed = address(sender, envelope);
                if (proceedings != null && isSlow(verdict)) {
                    sender.backlog().sent(verdict);
                    decide(proceedings, addressed);
                } else {
                    route(addressed);
                }
            }
            case Verdict.Refuse refused -> {
                count(refused);
                respell(sender, refused.refusal().spelling());
                sender.refused(refused.failure(sender.member()), clock.instant());
            }
        }
    }

    private void decide(Proceedings by, Addressed addressed) {
        plainRequests.noteSlow(addressed.envelope());
        by.take(addressed);
    }

    private boolean route(Addressed addressed) {
        plainRequests.note(addressed.envelope(), addressed.sender().member().id());
        Optional<ErrorCode> refused = courier.route(addressed);
        refused.ifPresentOrElse(
                code -> counters.refused(addressed.envelope().rule(), code),
                () -> counters.admitted(addressed.envelope().rule()));
        return refused.isEmpty();
    }

    /** Takes what was sent in another process, and judged there. */
    void receive(Parcel parcel, Envelope envelope) {
        plainRequests.note(envelope, parcel.from());
        courier.deliver(parcel, envelope);
    }

    /** A request that was taken in another process fulfils a proposal: an answer to it is not an answer to a plain one. */
    void tookElsewhere(Envelope envelope) {
        plainRequests.noteSlow(envelope);
    }

    private Addressed address(Sender sender, Envelope envelope) {
        Recipients recipients = Recipients.of(envelope.to(), this::isSomebody, this::able);
        // To the millisecond, which is what an envelope's time stamp says: then nobody sees two times of its arrival.
        return new Addressed(sender, envelope, recipients, clock.instant().truncatedTo(ChronoUnit.MILLIS));
    }

    /** Whether something has to become durable before anybody is sent it. */
    boolean isSlow(Verdict verdict) {
        return proceedings != null
                && verdict instanceof Verdict.Admit(Envelope envelope)
                && envelope.mayBeLifecycle()
                && !plainRequests.areAnsweredBy(envelope);
    }

    /** Something a connection sent has come back from the ledger: what it sent after that need not wait any longer. */
    void settled(Connection sender) {
        sender.backlog().back();
        proceed(sender);
    }

    void proceed(Connection sender) {
        for (Optional<Verdict> next = sender.backlog().next();
                next.isPresent();
                next = sender.backlog().next()) {
            handle(sender, next.get());
        }
    }

    /** A connection that once wrote the old spelling is sent it from then on. */
    private void respell(Connection connection, Spelling spelling) {
        if (spelling == Spelling.V0_1) {
            audience.respell(connection.receiver(), spelling);
        }
    }

    /** The gateway itself can be answered too: it asks those who serve tools what they offer. */
    private boolean isSomebody(String id) {
        return roll.has(id) || attendance.isHere(id) || id.equals(SystemMessage.GATEWAY);
    }

    /** Who is here and could send such an envelope. */
    private List<String> able(Kind kind) {
        return attendance
                .present()
                .filter(member -> member.capabilities().admitsKind(kind))
                .map(Member::id)
                .toList();
    }

    /** Tells a connection why something it sent was refused. */
    void tell(Connection sender, Failure failure, Instant now) {
        audience.toOne(sender.receiver(), notices.error(sender.member(), failure, now));
    }

    /** Sends a connection once more what came from it: in turn, so that an echo means that all before it was heard. */
    void echo(Connection sender, Outgoing envelope) {
        audience.toOneInTurn(sender.receiver(), envelope);
    }
}
