package dev.gavel.mcp.facade.modern;

import dev.gavel.gateway.proposal.Fulfilment;
import dev.gavel.gateway.proposal.Proposal;
import dev.gavel.gateway.proposal.ProposalState;
import dev.gavel.gateway.proposal.ProposalView;
import dev.gavel.mcp.facade.call.Ending;
import dev.gavel.mcp.facade.call.Target;
import dev.gavel.mcp.facade.call.Words;
import dev.gavel.mcp.rpc.Message;
import dev.gavel.mcp.rpc.RpcError;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * A proposal as the task that its proposer asked for. Immutable.
 *
 * @param words how it stands, for a person
 * @param kept how long it can be asked for, from its creation on; for ever where nothing is said
 * @param answer what the call itself would have been answered, where it is over
 */
record Task(
        String id,
        Status status,
        String words,
        Instant created,
        Instant updated,
        Duration poll,
        Optional<Duration> kept,
        Optional<Message> answer) {
    private static final Duration SOON = Duration.ofMillis(500);
    private static final Duration FIRST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofSeconds(10);
    private static final int LONGEST_WHY = 300;

    /** How it stands, in the protocol's words. */
    enum Status {
        WORKING("working"),
        COMPLETED("completed"),
        FAILED("failed"),
        CANCELLED("cancelled");

        private final String word;

        Status(String word) {
            this.word = word;
        }
    }

    /** The task of a proposal at a moment. */
    static Task of(ProposalView view, Instant now, Optional<Duration> kept) {
        // One whose time is over counts as expired before the ledger says so: nobody can decide it any more.
        Proposal proposal = Proposal.of(view.timeline()).asOf(now);
        Instant created = view.timeline().getFirst().at();
        Instant updated = view.timeline().getLast().at();
        Target target =
                new Target("", String.valueOf(view.kind().method()), view.kind().context());
        Optional<Message> answer = Ending.of(proposal).map(ending -> Words.ending("null", target, view.id(), ending));
        String words = words(view, proposal, answer.orElse(null));
        return new Task(
                view.id(),
                status(proposal, answer),
                words,
                created,
                updated,
                poll(proposal, created, now),
                kept.map(time -> kept(view, answer.isPresent(), time)),
                answer);
    }

    /** Where the protocol itself reports a failure, how the proposal stands says no more than that there was one. */
    private static String words(ProposalView view, Proposal proposal, @Nullable Message answer) {
        String standing = view.guidance().status();
        Fulfilment fulfilment = proposal.fulfilment();
        if (!(answer instanceof Message.Failure failure) || fulfilment == null) {
            return standing;
        }
        if (failure.code() == RpcError.CANCELLED.code()) {
            return "approved by " + fulfilment.request().by() + ", and called off while it ran";
        }
        String why = failure.words();
        return standing + ": " + (why.length() <= LONGEST_WHY ? why : why.substring(0, LONGEST_WHY) + "…");
    }

    /** An open proposal is kept until it ends, which it does at its expiry at the latest, or when its answer has come. */
    private static Duration kept(ProposalView view, boolean over, Duration time) {
        Instant last = view.timeline().getLast().at();
        Instant end = over || last.isAfter(view.expiresAt()) ? last : view.expiresAt();
        return Duration.between(view.timeline().getFirst().at(), end).plus(time);
    }

    private static Status status(Proposal proposal, Optional<Message> answer) {
        if (answer.isEmpty()) {
            return Status.WORKING;
        }
        if (proposal.state() == ProposalState.WITHDRAWN) {
            return Status.CANCELLED;
        }
        return switch (answer.get()) {
            case Message.Failure failure when failure.code() == RpcError.CANCELLED.code() -> Status.CANCELLED;
            case Message.Failure _ -> Status.FAILED;
            default -> Status.COMPLETED;
        };
    }

    /** People take their time, and the longer the more; what is approved is done soon. */
    private static Duration poll(Proposal proposal, Instant created, Instant now) {
        if (proposal.state() != ProposalState.OPEN) {
            return SOON;
        }
        Duration tenth = Duration.between(created, now).dividedBy(10);
        return tenth.compareTo(FIRST) < 0 ? FIRST : tenth.compareTo(LONGEST) > 0 ? LONGEST : tenth;
    }

    /** Whether it says more than this did; nothing was said where that is null. */
    boolean isNews(@Nullable Task before) {
        return before == null
                || updated.isAfter(before.updated)
                || (updated.equals(before.updated) && (status != before.status || !words.equals(before.words)));
    }

    /** Writes it, without what came of it. */
    void writeState(JsonGenerator json) {
        json.writeStringProperty("taskId", id);
        json.writeStringProperty("status", status.word);
        json.writeStringProperty("statusMessage", words);
        json.writeStringProperty("createdAt", created.toString());
        json.writeStringProperty("lastUpdatedAt", updated.toString());
        kept.ifPresentOrElse(
                time -> json.writeNumberProperty("ttlMs", time.toMillis()), () -> json.writeNullProperty("ttlMs"));
        json.writeNumberProperty("pollIntervalMs", poll.toMillis());
    }

    /** Writes it, with what came of it. */
    void write(JsonGenerator json) {
        writeState(json);
        answer.ifPresent(message -> {
            switch (message) {
                case Message.Response response
                when status == Status.COMPLETED -> {
                    json.writeName("result");
                    json.writeRawValue(Results.complete(response.result()));
                }
                case Message.Failure failure
                when status == Status.FAILED -> {
                    json.writeName("error");
                    json.writeRawValue(Results.permitted(failure));
                }
                default -> {}
            }
        });
    }
}
