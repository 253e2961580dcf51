package dev.gavel.sep.service;

import dev.gavel.lifecycle.ClockAction;
import dev.gavel.lifecycle.VoteTally;
import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.actor.PersonOrGroup;
import dev.gavel.lifecycle.actor.RoleGroup;
import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.history.LifecycleEvent;
import dev.gavel.lifecycle.process.EvidenceDefinition;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.lifecycle.result.LifecycleGuidance;
import dev.gavel.lifecycle.result.LifecycleRefusal;
import dev.gavel.lifecycle.result.MoveEligibility;
import dev.gavel.lifecycle.result.PendingConfirmation;
import dev.gavel.lifecycle.result.RequirementStatus;
import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.Sep;
import dev.gavel.sep.store.SepEventCodec;
import dev.gavel.sep.store.SepSummary;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import tools.jackson.core.JsonGenerator;

/**
 * Writes the parts of a SEP result as JSON properties: summaries, guidance, moves, tallies, evidence and comments.
 * People are written as ids, and the result ends with the names of those that have another name. One instance writes
 * one result. Not thread-safe.
 */
final class SepJsonWriter {
    private final JsonGenerator json;
    private final PeopleResolver peopleResolver;
    private final Map<String, String> names = new TreeMap<>();

    private SepJsonWriter(JsonGenerator json, PeopleResolver peopleResolver) {
        this.json = json;
        this.peopleResolver = peopleResolver;
    }

    /** Returns a result as a JSON object. */
    static Json write(PeopleResolver peopleResolver, Consumer<SepJsonWriter> content) {
        return Json.write(json -> {
            SepJsonWriter writer = new SepJsonWriter(json, peopleResolver);
            json.writeStartObject();
            content.accept(writer);
            peopleResolver
                    .nonDefaultTerms()
                    .ifPresent(terms -> json.writeObjectPropertyStart("terms")
                            .writeStringProperty("name", terms.name())
                            .writeStringProperty("label", terms.label())
                            .writeEndObject());
            if (!writer.names.isEmpty()) {
                json.writeObjectPropertyStart("names");
                writer.names.forEach(json::writeStringProperty);
                json.writeEndObject();
            }
            json.writeEndObject();
        });
    }

    /** Returns a result with the names of the people whose ids it contains. */
    static Json withNames(Json result, PeopleResolver peopleResolver, Stream<String> ids) {
        Json all = result;
        Json added = write(peopleResolver, writer -> ids.map(Person::new).forEach(writer::id));
        for (Map.Entry<String, Json> property : added.members().entrySet()) {
            all = all.with(property.getKey(), property.getValue());
        }
        return all;
    }

    /** Returns the generator, for properties that name no people. */
    JsonGenerator json() {
        return json;
    }

    /** Returns a person's id, or the role of a group, as results contain it, and notes the person's name. */
    String id(PersonOrGroup personOrGroup) {
        return switch (personOrGroup) {
            case Person person -> {
                String id = PeopleResolver.withoutQuotes(person.login());
                String name = peopleResolver.name(person);
                if (!name.equals(id)) {
                    names.put(id, name);
                }
                yield id;
            }
            case RoleGroup group -> group.role();
        };
    }

    /** Writes the properties with which every result about a SEP begins. */
    void summary(SepSummary sepSummary) {
        json.writeNumberProperty("number", sepSummary.number())
                .writeStringProperty("title", sepSummary.title())
                .writeStringProperty("status", sepSummary.state())
                .writeStringProperty("type", sepSummary.type());
        strings(
                json,
                "authors",
                sepSummary.authors().stream().map(Person::new).map(this::id).toList());
        json.writeName("sponsor");
        sepSummary.sponsor().map(Person::new).map(this::id).ifPresentOrElse(json::writeString, json::writeNull);
        json.writeStringProperty("since", sepSummary.since().toString())
                .writeStringProperty("submitted", sepSummary.submitted().toString())
                .writeStringProperty("hash", sepSummary.documentHash());
    }

    static void strings(JsonGenerator json, String name, List<String> texts) {
        json.writeArrayPropertyStart(name);
        texts.forEach(json::writeString);
        json.writeEndArray();
    }

    static void numbers(JsonGenerator json, String name, Iterable<Integer> numbers) {
        json.writeArrayPropertyStart(name);
        numbers.forEach(json::writeNumber);
        json.writeEndArray();
    }

    /**
     * Writes the guidance of a SEP for the caller.
     *
     * @param step returns the next step of a person or role that must act
     */
    void next(
            Sep sep,
            ProcessDefinition processDefinition,
            LifecycleGuidance guidance,
            Function<PersonOrGroup, String> step) {
        json.writeNumberProperty("number", sep.number())
                .writeStringProperty("title", sep.title())
                .writeStringProperty("status", guidance.state())
                .writeStringProperty("says", guidance.status())
                .writeStringProperty("since", guidance.since().toString())
                .writeStringProperty("hash", sep.documentHash());
        lastMove(sep, processDefinition);
        mustAct(guidance.mustAct(), assignment -> json.writeStringProperty("nextStep", step.apply(assignment.party())));
        strings(json, "waitingOn", guidance.waitingOn().stream().map(this::id).toList());
        json.writeStringProperty("nextStep", guidance.nextStep()).writeArrayPropertyStart("toAdvance");
        guidance.moves().forEach(moveEligibility -> {
            json.writeStartObject();
            moveEligibility(moveEligibility);
            json.writeEndObject();
        });
        json.writeEndArray();
        expected(json, guidance.nextDeadline());
    }

    /** Writes the move that led to the current state, with the evidence that came with it, such as a rationale. */
    private void lastMove(Sep sep, ProcessDefinition processDefinition) {
        sep.history().events().reversed().stream()
                .filter(event -> event instanceof LifecycleEvent.Moved)
                .map(LifecycleEvent.Moved.class::cast)
                .findFirst()
                .ifPresent(moved -> {
                    json.writeObjectPropertyStart("lastMove")
                            .writeStringProperty("from", moved.from())
                            .writeStringProperty("to", moved.to())
                            .writeStringProperty("by", id(moved.by().person()))
                            .writeStringProperty("at", moved.at().toString())
                            .writeArrayPropertyStart("evidence");
                    Stream.concat(moved.evidence().stream(), decisions(sep, moved, processDefinition).stream())
                            .forEach(piece -> json.writeStartObject()
                                    .writeStringProperty("kind", piece.kind())
                                    .writeStringProperty("says", processDefinition.describeEvidence(piece.kind()))
                                    .writeStringProperty("value", piece.value())
                                    .writeEndObject());
                    json.writeEndArray().writeEndObject();
                });
    }

    /** Returns the decisions for a move that were attached in the state that it left. */
    private static List<Evidence> decisions(Sep sep, LifecycleEvent.Moved moved, ProcessDefinition processDefinition) {
        List<LifecycleEvent> events = sep.history().events();
        for (int i = events.lastIndexOf(moved) - 1; i >= 0 && !(events.get(i) instanceof LifecycleEvent.Moved); i--) {
            if (events.get(i) instanceof LifecycleEvent.EvidenceAttached attached) {
                List<Evidence> found = attached.evidence().stream()
                        .filter(piece -> Optional.ofNullable(
                                        processDefinition.evidence().get(piece.kind()))
                                .filter(kind -> kind.format() == EvidenceDefinition.Format.DECISION)
                                .isPresent())
                        .filter(piece -> piece.value().startsWith(moved.to() + ":"))
                        .toList();
                if (!found.isEmpty()) {
                    return found;
                }
            }
        }
        return List.of();
    }

    /** Writes the votes that an edit voided and that were not cast again, if there are any. */
    void voidedVotes(Sep sep) {
        sep.snapshot()
                .voteRound()
                .voidedBallots()
                .filter(voided -> !voided.voters().isEmpty())
                .ifPresent(voided -> {
                    json.writeObjectPropertyStart("voidedVotes")
                            .writeStringProperty("at", voided.at().toString())
                            .writeStringProperty("by", id(voided.by()));
                    strings(
                            json,
                            "voters",
                            voided.voters().stream().map(this::id).toList());
                    json.writeEndObject();
                });
    }

    /** Writes the evidence that waits for the confirmation of a second person, if there is any. */
    void confirmations(List<PendingConfirmation> pendingConfirmations) {
        if (pendingConfirmations.isEmpty()) {
            return;
        }
        json.writeArrayPropertyStart("confirmations");
        pendingConfirmations.forEach(this::confirmation);
        json.writeEndArray();
    }

    void confirmation(PendingConfirmation pendingConfirmation) {
        json.writeStartObject()
                .writeStringProperty("kind", pendingConfirmation.kind())
                .writeStringProperty("says", pendingConfirmation.description())
                .writeStringProperty("value", pendingConfirmation.value())
                .writeStringProperty("by", id(pendingConfirmation.givenBy()))
                .writeStringProperty("at", pendingConfirmation.givenAt().toString())
                .writeStringProperty("role", pendingConfirmation.confirmingRole())
                .writeEndObject();
    }

    void mustAct(List<LifecycleGuidance.Assignment> assignments) {
        mustAct(assignments, assignment -> {});
    }

    private void mustAct(List<LifecycleGuidance.Assignment> assignments, Consumer<LifecycleGuidance.Assignment> more) {
        json.writeArrayPropertyStart("mustAct");
        for (LifecycleGuidance.Assignment assignment : assignments) {
            json.writeStartObject()
                    .writeStringProperty("who", id(assignment.party()))
                    .writeStringProperty("as", assignment.role())
                    .writeStringProperty("since", assignment.since().toString());
            more.accept(assignment);
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    static void expected(JsonGenerator json, Optional<LifecycleGuidance.Deadline> expected) {
        json.writeName("expectedBy");
        expected.ifPresentOrElse(
                what -> json.writeStartObject()
                        .writeStringProperty("date", isoDate(what.at()))
                        .writeStringProperty("then", what.consequence())
                        .writeEndObject(),
                json::writeNull);
    }

    static String isoDate(Instant at) {
        return LocalDate.ofInstant(at, ZoneOffset.UTC).toString();
    }

    void moveEligibility(MoveEligibility moveEligibility) {
        json.writeStringProperty("to", moveEligibility.to())
                .writeStringProperty("who", moveEligibility.whoMayText())
                .writeBooleanProperty("youMay", moveEligibility.actorMay())
                .writeBooleanProperty("possible", moveEligibility.isPossible());
        requirements(json, "requirements", moveEligibility.requirementStatuses());
        moveEligibility.blockReason().ifPresent(why -> json.writeStringProperty("barred", why));
        json.writeStringProperty("says", moveEligibility.explanation());
    }

    private static void requirements(JsonGenerator json, String name, List<RequirementStatus> requirementStatuses) {
        json.writeArrayPropertyStart(name);
        for (RequirementStatus requirementStatus : requirementStatuses) {
            json.writeStartObject()
                    .writeStringProperty("says", requirementStatus.description())
                    .writeBooleanProperty("met", requirementStatus.met())
                    .writeStringProperty("accepts", requirementStatus.detail());
            strings(json, "kinds", requirementStatus.evidenceKinds());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    /** Writes the details of a refusal for programs. */
    void refusal(LifecycleRefusal refusal) {
        strings(json, "whoMay", refusal.whoMay().stream().map(this::id).toList());
        requirements(json, "missing", refusal.unmetRequirements());
    }

    void tally(Sep sep, Optional<VoteTally> tally) {
        tally.ifPresent(found -> {
            json.writeObjectPropertyStart("tally")
                    .writeNumberProperty("yes", found.yes())
                    .writeNumberProperty("no", found.no())
                    .writeNumberProperty("abstain", found.abstain());
            strings(json, "concerns", found.concerns().stream().map(this::id).toList());
            strings(json, "recused", found.recused().stream().map(this::id).toList());
            found.votesNeeded().ifPresent(needed -> json.writeNumberProperty("needed", needed));
            json.writeBooleanProperty("carried", found.carried())
                    .writeStringProperty("says", found.summary())
                    .writeArrayPropertyStart("votes");
            sep.snapshot()
                    .voteRound()
                    .ballots()
                    .forEach((person, castBallot) -> json.writeStartObject()
                            .writeStringProperty("by", id(person))
                            .writeStringProperty("ballot", SepEventCodec.ballotName(castBallot.ballotChoice()))
                            .writeStringProperty("reason", castBallot.reason())
                            .writeStringProperty("hash", lastVoteHash(sep, person))
                            .writeEndObject());
            json.writeEndArray().writeEndObject();
        });
        sep.snapshot()
                .voteRound()
                .hold()
                .ifPresent(hold -> json.writeObjectPropertyStart("hold")
                        .writeStringProperty("since", hold.since().toString())
                        .writeStringProperty("reason", hold.reason())
                        .writeEndObject());
    }

    /** Returns the hash of the document on which a person voted last. */
    private static String lastVoteHash(Sep sep, Person person) {
        List<LifecycleEvent> events = sep.history().events();
        for (int i = events.size() - 1; i >= 0; i--) {
            if (events.get(i) instanceof LifecycleEvent.Voted voted
                    && voted.by().person().equals(person)) {
                return sep.documentHashAt(i);
            }
        }
        return "";
    }

    /** Writes all evidence ever given, the earliest first, with the person who gave it. */
    void evidence(Sep sep) {
        json.writeArrayPropertyStart("evidence");
        for (LifecycleEvent event : sep.history().events()) {
            List<Evidence> given = switch (event) {
                case LifecycleEvent.Moved moved -> moved.evidence();
                case LifecycleEvent.EvidenceAttached attached -> attached.evidence();
                default -> List.of();
            };
            given.forEach(piece -> json.writeStartObject()
                    .writeStringProperty("kind", piece.kind())
                    .writeStringProperty("value", piece.value())
                    .writeStringProperty("by", id(event.by().person()))
                    .writeStringProperty("at", event.at().toString())
                    .writeEndObject());
        }
        json.writeEndArray();
    }

    void comments(Sep sep) {
        json.writeArrayPropertyStart("comments");
        for (LifecycleEvent event : sep.history().events()) {
            if (event instanceof LifecycleEvent.Commented comment) {
                json.writeStartObject()
                        .writeStringProperty("by", id(comment.by().person()))
                        .writeStringProperty("at", comment.at().toString())
                        .writeStringProperty("text", comment.text())
                        .writeEndObject();
            }
        }
        json.writeEndArray();
    }

    /** Writes a due clock action. */
    void due(ClockAction clockAction) {
        switch (clockAction) {
            case ClockAction.Reminder reminder -> {
                json.writeStringProperty("kind", "ping");
                strings(
                        json,
                        "whom",
                        reminder.recipients().stream().map(this::id).toList());
            }
            case ClockAction.RoleLapse lapse -> {
                json.writeStringProperty("kind", "lapse");
                strings(json, "whom", List.of(id(lapse.person())));
            }
            case ClockAction.AutoMove autoMove ->
                json.writeStringProperty("kind", "move").writeStringProperty("to", autoMove.to());
            case ClockAction.Escalation escalation -> {
                json.writeStringProperty("kind", "escalation");
                strings(json, "whom", List.of(escalation.role()));
            }
        }
        json.writeStringProperty("clock", clockAction.clock()).writeStringProperty("says", clockAction.text());
    }
}
