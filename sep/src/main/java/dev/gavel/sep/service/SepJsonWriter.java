package dev.gavel.sep.service;

import dev.gavel.lifecycle.ClockAction;
import dev.gavel.lifecycle.VoteTally;
import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.actor.PersonOrGroup;
import dev.gavel.lifecycle.actor.RoleGroup;
import dev.gavel.lifecycle.history.LifecycleEvent;
import dev.gavel.lifecycle.result.LifecycleGuidance;
import dev.gavel.lifecycle.result.LifecycleRefusal;
import dev.gavel.lifecycle.result.MoveEligibility;
import dev.gavel.lifecycle.result.RequirementStatus;
import dev.gavel.sep.Sep;
import dev.gavel.sep.store.SepEventCodec;
import dev.gavel.sep.store.SepSummary;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import tools.jackson.core.JsonGenerator;

/**
 * Writes the parts of SEP results as JSON properties: summaries, guidance, moves, tallies, evidence and comments.
 * Stateless.
 */
final class SepJsonWriter {
    private SepJsonWriter() {}

    /** Writes the properties with which every result about a SEP begins. */
    static void summary(JsonGenerator json, SepSummary sepSummary) {
        json.writeNumberProperty("number", sepSummary.number())
                .writeStringProperty("title", sepSummary.title())
                .writeStringProperty("status", sepSummary.state())
                .writeStringProperty("type", sepSummary.type());
        strings(
                json,
                "authors",
                sepSummary.authors().stream().map(PeopleResolver::displayName).toList());
        json.writeName("sponsor");
        sepSummary.sponsor().map(PeopleResolver::displayName).ifPresentOrElse(json::writeString, json::writeNull);
        json.writeStringProperty("since", sepSummary.since().toString())
                .writeStringProperty("submitted", sepSummary.submitted().toString());
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

    static String displayName(PersonOrGroup personOrGroup) {
        return switch (personOrGroup) {
            case Person person -> PeopleResolver.displayName(person.login());
            case RoleGroup group -> group.role();
        };
    }

    /**
     * Writes the guidance of a SEP for the caller.
     *
     * @param step returns the next step of a person or role that must act
     */
    static void next(JsonGenerator json, Sep sep, LifecycleGuidance guidance, Function<PersonOrGroup, String> step) {
        json.writeNumberProperty("number", sep.number())
                .writeStringProperty("title", sep.title())
                .writeStringProperty("status", guidance.state())
                .writeStringProperty("says", guidance.status())
                .writeStringProperty("since", guidance.since().toString());
        mustAct(
                json,
                guidance.mustAct(),
                assignment -> json.writeStringProperty("nextStep", step.apply(assignment.party())));
        strings(
                json,
                "waitingOn",
                guidance.waitingOn().stream().map(SepJsonWriter::displayName).toList());
        json.writeStringProperty("nextStep", guidance.nextStep()).writeArrayPropertyStart("toAdvance");
        guidance.moves().forEach(moveEligibility -> {
            json.writeStartObject();
            moveEligibility(json, moveEligibility);
            json.writeEndObject();
        });
        json.writeEndArray();
        expected(json, guidance.nextDeadline());
    }

    static void mustAct(JsonGenerator json, List<LifecycleGuidance.Assignment> assignments) {
        mustAct(json, assignments, assignment -> {});
    }

    private static void mustAct(
            JsonGenerator json,
            List<LifecycleGuidance.Assignment> assignments,
            Consumer<LifecycleGuidance.Assignment> more) {
        json.writeArrayPropertyStart("mustAct");
        for (LifecycleGuidance.Assignment assignment : assignments) {
            json.writeStartObject()
                    .writeStringProperty("who", displayName(assignment.party()))
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

    static void moveEligibility(JsonGenerator json, MoveEligibility moveEligibility) {
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
    static void refusal(JsonGenerator json, LifecycleRefusal refusal) {
        strings(
                json,
                "whoMay",
                refusal.whoMay().stream().map(SepJsonWriter::displayName).toList());
        requirements(json, "missing", refusal.unmetRequirements());
    }

    static void tally(JsonGenerator json, Sep sep, Optional<VoteTally> tally) {
        tally.ifPresent(found -> {
            json.writeObjectPropertyStart("tally")
                    .writeNumberProperty("yes", found.yes())
                    .writeNumberProperty("no", found.no())
                    .writeNumberProperty("abstain", found.abstain());
            strings(
                    json,
                    "concerns",
                    found.concerns().stream().map(Person::login).toList());
            found.votesNeeded().ifPresent(needed -> json.writeNumberProperty("needed", needed));
            json.writeBooleanProperty("carried", found.carried())
                    .writeStringProperty("says", found.summary())
                    .writeArrayPropertyStart("votes");
            sep.snapshot()
                    .voteRound()
                    .ballots()
                    .forEach((person, castBallot) -> json.writeStartObject()
                            .writeStringProperty("by", person.login())
                            .writeStringProperty("ballot", SepEventCodec.ballotName(castBallot.ballotChoice()))
                            .writeStringProperty("reason", castBallot.reason())
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

    /** Writes all evidence ever given, the earliest first, with the person who gave it. */
    static void evidence(JsonGenerator json, Sep sep) {
        json.writeArrayPropertyStart("evidence");
        for (LifecycleEvent event : sep.history().events()) {
            List<dev.gavel.lifecycle.history.Evidence> given = switch (event) {
                case LifecycleEvent.Moved moved -> moved.evidence();
                case LifecycleEvent.EvidenceAttached attached -> attached.evidence();
                default -> List.of();
            };
            given.forEach(piece -> json.writeStartObject()
                    .writeStringProperty("kind", piece.kind())
                    .writeStringProperty("value", piece.value())
                    .writeStringProperty("by", event.by().person().login())
                    .writeStringProperty("at", event.at().toString())
                    .writeEndObject());
        }
        json.writeEndArray();
    }

    static void comments(JsonGenerator json, Sep sep) {
        json.writeArrayPropertyStart("comments");
        for (LifecycleEvent event : sep.history().events()) {
            if (event instanceof LifecycleEvent.Commented comment) {
                json.writeStartObject()
                        .writeStringProperty("by", comment.by().person().login())
                        .writeStringProperty("at", comment.at().toString())
                        .writeStringProperty("text", comment.text())
                        .writeEndObject();
            }
        }
        json.writeEndArray();
    }

    /** Writes a due clock action. */
    static void due(JsonGenerator json, ClockAction clockAction) {
        switch (clockAction) {
            case ClockAction.Reminder reminder -> {
                json.writeStringProperty("kind", "ping");
                strings(
                        json,
                        "whom",
                        reminder.recipients().stream()
                                .map(SepJsonWriter::displayName)
                                .toList());
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
