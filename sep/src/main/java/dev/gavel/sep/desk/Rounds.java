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

/** Goes the rounds: looks what clocks say is due, and does it. */
record Rounds(Enquiries enquiries, Clerk clerk, Replies replies) {
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

    /** Each is decided again when its turn comes: what somebody else did meanwhile is not done twice. */
    private CompletableFuture<List<Errand>> carry(List<Errand> errands, Optional<Instant> asOf) {
        CompletableFuture<List<Errand>> done = CompletableFuture.completedFuture(new ArrayList<>());
        for (Errand errand : errands) {
            done = done.thenCombine(
                    clerk.carry(errand.number(), errand.due(), asOf, enquiries.roster()), (made, ruling) -> {
                        if (ruling instanceof Ruling.Made) {
                            made.add(errand);
                        }
                        return made;
                    });
        }
        return done;
    }
}
