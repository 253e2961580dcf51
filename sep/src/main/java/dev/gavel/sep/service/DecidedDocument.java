package dev.gavel.sep.service;

import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.history.LifecycleEvent;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.lifecycle.process.VoteRule;
import dev.gavel.sep.Sep;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JsonGenerator;

/**
 * The document about which the last decision was made that needs a vote, such as an acceptance. Immutable.
 *
 * @param event the index of the move by which the decision was made
 * @param state the state to which the decision led
 */
record DecidedDocument(int event, String state, Instant at, Person by, String hash) {
    /** Finds the decision of a SEP; empty if there is none yet, or if the SEP has returned to a vote. */
    static Optional<DecidedDocument> find(Sep sep, ProcessDefinition processDefinition) {
        List<LifecycleEvent> events = sep.history().events();
        for (int i = events.size() - 1; i >= 0; i--) {
            if (events.get(i) instanceof LifecycleEvent.Moved moved) {
                if (processDefinition.votes().containsKey(moved.to())) {
                    return Optional.empty();
                }
                VoteRule vote = processDefinition.votes().get(moved.from());
                if (vote != null) {
                    return vote.decidedStates().contains(moved.to())
                            ? Optional.of(new DecidedDocument(
                                    i, moved.to(), moved.at(), moved.by().person(), sep.documentHashAt(i)))
                            : Optional.empty();
                }
            }
        }
        return Optional.empty();
    }

    /** Writes the decision, and how the current document differs from the decided one. */
    void write(SepJsonWriter writer, DocumentVersionComparer versions) {
        JsonGenerator json = writer.json();
        json.writeObjectPropertyStart("decision")
                .writeStringProperty("state", state)
                .writeStringProperty("at", at.toString())
                .writeStringProperty("by", writer.id(by))
                .writeStringProperty("hash", hash)
                .writeStringProperty("currentDocument", comparison(versions.sep()));
        versions.changesBetween(hash, versions.sep().documentHash())
                .ifPresent(changes -> DocumentVersionComparer.write(json, changes));
        json.writeEndObject();
    }

    private String comparison(Sep sep) {
        if (hash.equals(sep.documentHash())) {
            return "same";
        }
        List<LifecycleEvent> events = sep.history().events();
        boolean editorial = events.subList(event, events.size()).stream()
                .allMatch(each -> !(each instanceof LifecycleEvent.Edited edited) || edited.editorial());
        return editorial ? "editorial" : "changed";
    }
}
