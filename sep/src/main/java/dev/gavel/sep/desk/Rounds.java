package dev.gavel.sep.desk;

import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.sweep.Errand;
import dev.gavel.sep.sweep.Sweep;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Goes the rounds: looks what clocks say is due, and does it. */
record Rounds(Enquiries enquiries, Clerk clerk, Replies replies) {
    private static final Logger log = LoggerFactory.getLogger(Rounds.class);
    private static final int AT_ONCE = 100;

    CompletionStage<Reply> asked(Json arguments) {
        boolean dry = arguments.at("dryRun").isTrue();
        if (!dry && !replies.isSteward()) {
            return CompletableFuture.completedStage(replies.notSteward("sweep; anyone may make a dry run"));
        }
        Instant now = enquiries.now();
        if (!arguments.at("asOf").there()) {
            return go(Optional.empty(), dry);
        }
        Optional<Instant> asOf = Days.end(arguments.at("asOf").text(), now);
        if (asOf.isEmpty()) {
            return CompletableFuture.completedStage(
                    new Reply.Wrong("'asOf' is a day such as 2027-01-31, or a time such as 2027-01-31T12:00:00Z"));
        }
        return !dry && asOf.get().isBefore(now)
                ? CompletableFuture.completedStage(
                        new Reply.Wrong("as of a day that is past there can only be a dry run"))
                : go(asOf, dry);
    }

    CompletionStage<Reply> go(Optional<Instant> asOf, boolean dry) {
        Instant at = asOf.orElse(enquiries.now());
        List<Errand> errands = errands(at);
        return (dry ? CompletableFuture.completedFuture(errands) : carry(errands, asOf))
                .thenApply(made -> new Reply.Done(Enquiries.object(json -> {
                    json.writeStringProperty("asOf", at.toString()).writeBooleanProperty("dryRun", dry);
                    json.writeArrayPropertyStart("due");
                    for (Errand errand : made) {
                        json.writeStartObject()
                                .writeNumberProperty("number", errand.number())
                                .writeStringProperty("title", errand.title());
                        Views.due(json, errand.due());
                        json.writeEndObject();
                    }
                    json.writeEndArray().writeNumberProperty("done", dry ? 0 : made.size());
                })));
    }

    private List<Errand> errands(Instant at) {
        return Sweep.due(
                enquiries.shelf().open().stream().map(Shelf.Entry::sep).toList(),
                enquiries.lifecycle(),
                enquiries::known,
                at);
    }

    /**
     * Each is decided again when its turn comes: what somebody else did meanwhile is not done twice. A few at a time, so
     * that others can write in between; what cannot be written is left to the next round.
     */
    private CompletableFuture<List<Errand>> carry(List<Errand> errands, Optional<Instant> asOf) {
        CompletableFuture<List<Errand>> done = CompletableFuture.completedFuture(new ArrayList<>());
        for (int from = 0; from < errands.size(); from += AT_ONCE) {
            List<Errand> some = errands.subList(from, Math.min(errands.size(), from + AT_ONCE));
            done = done.thenCompose(made -> carrySome(some, asOf, made));
        }
        return done;
    }

    private CompletableFuture<List<Errand>> carrySome(
            List<Errand> errands, Optional<Instant> asOf, List<Errand> before) {
        CompletableFuture<List<Errand>> done = CompletableFuture.completedFuture(before);
        for (Errand errand : errands) {
            CompletableFuture<Boolean> carried = clerk.carry(errand.number(), errand.due(), asOf, enquiries.roster())
                    .handle((ruling, failure) -> {
                        if (failure != null) {
                            log.warn(
                                    "what is due with SEP {} could not be done: {}",
                                    errand.number(),
                                    failure.toString());
                        }
                        return ruling instanceof Ruling.Made;
                    });
            done = done.thenCombine(carried, (made, yes) -> {
                if (yes) {
                    made.add(errand);
                }
                return made;
            });
        }
        return done;
    }
}
