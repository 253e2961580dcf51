package dev.gavel.gateway.proposal;

import dev.gavel.gateway.proposal.ProposalEvent.Answered;
import dev.gavel.gateway.proposal.ProposalEvent.ApprovalHeld;
import dev.gavel.gateway.proposal.ProposalEvent.CallerDisconnected;
import dev.gavel.gateway.proposal.ProposalEvent.CallerWaits;
import dev.gavel.gateway.proposal.ProposalEvent.ClosedByRejections;
import dev.gavel.gateway.proposal.ProposalEvent.Expired;
import dev.gavel.gateway.proposal.ProposalEvent.Forwarded;
import dev.gavel.gateway.proposal.ProposalEvent.Fulfilled;
import dev.gavel.gateway.proposal.ProposalEvent.HeldApprovalDropped;
import dev.gavel.gateway.proposal.ProposalEvent.NotForwarded;
import dev.gavel.gateway.proposal.ProposalEvent.OutcomeUnknown;
import dev.gavel.gateway.proposal.ProposalEvent.Proposed;
import dev.gavel.gateway.proposal.ProposalEvent.Reachable;
import dev.gavel.gateway.proposal.ProposalEvent.Rejected;
import dev.gavel.gateway.proposal.ProposalEvent.RunCancelled;
import dev.gavel.gateway.proposal.ProposalEvent.SecretsRevealed;
import dev.gavel.gateway.proposal.ProposalEvent.StatusReported;
import dev.gavel.gateway.proposal.ProposalEvent.Unreachable;
import dev.gavel.gateway.proposal.ProposalEvent.Withdrawn;
import dev.gavel.lifecycle.actor.PersonOrGroup;
import dev.gavel.lifecycle.result.LifecycleGuidance;
import dev.gavel.lifecycle.result.MoveEligibility;
import dev.gavel.mcpx.JsonByteWriter;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** Writes the JSON of a proposal that the gateway shows to one member. Stateless. */
final class ProposalViewJsonWriter {
    private ProposalViewJsonWriter() {}

    static byte[] write(ProposalView view) {
        return JsonByteWriter.write(json -> {
            json.writeStartObject();
            json.writeStringProperty("id", view.id());
            json.writeStringProperty("from", view.proposer());
            ProposalEventCodec.writeTexts(json, "to", view.to());
            json.writeStringProperty("kind", view.kind().toString());
            writeRaw(json, "payload", view.payload().toString());
            if (view.isEdited()) {
                json.writeBooleanProperty("edited", true);
                writeRaw(
                        json,
                        "fulfilledParams",
                        ProposalCallArguments.of(view.effectivePayload()).json());
            }
            if (view.redacted()) {
                json.writeBooleanProperty("redacted", true);
                json.writeBooleanProperty("youMayReveal", view.mayReveal());
            }
            json.writeStringProperty("state", view.state().label());
            view.outcome().ifPresent(outcome -> json.writeStringProperty("outcome", outcome.label()));
            ProposalEventCodec.writeReasons(json, view.rejections());
            view.callerDisconnection().ifPresent(disconnection -> {
                json.writeObjectPropertyStart("callerDisconnected");
                json.writeStringProperty("at", disconnection.at().toString());
                disconnection.deadline().ifPresent(deadline -> json.writeStringProperty("until", deadline.toString()));
                json.writeEndObject();
            });
            view.heldApproval().ifPresent(held -> {
                json.writeObjectPropertyStart("heldApproval");
                json.writeStringProperty("by", view.names().id(held.approval().actor()));
                json.writeStringProperty("at", held.at().toString());
                json.writeEndObject();
            });
            json.writeStringProperty("expiresAt", view.expiresAt().toString());
            ProposalEventCodec.writeTexts(json, "couldRun", view.possibleRunners());
            if (!view.alternativeRunners().isEmpty()) {
                ProposalEventCodec.writeTexts(json, "couldRunInstead", view.alternativeRunners());
            }
            view.risk().ifPresent(risk -> risk.writeTo(json));
            names(json, view);
            ProposedToolStatusJsonWriter.write(json, view.tools());
            json.writeObjectPropertyStart("guidance");
            guidance(json, view.guidance());
            json.writeEndObject();
            json.writeArrayPropertyStart("timeline");
            view.timeline().forEach(proposalTimelineEntry -> timelineEntry(json, proposalTimelineEntry, view));
            json.writeEndArray();
            json.writeEndObject();
        });
    }

    /** Writes only what the reviewer must know before approving the call. */
    static byte[] writeAssessment(ProposalView view) {
        return JsonByteWriter.write(json -> {
            json.writeStartObject();
            json.writeStringProperty("state", view.state().label());
            view.risk().ifPresent(risk -> risk.writeTo(json));
            ProposedToolStatusJsonWriter.write(json, view.tools());
            json.writeEndObject();
        });
    }

    /** Writes the display names of the members that the proposal mentions, as far as they differ from the ids. */
    private static void names(JsonGenerator json, ProposalView view) {
        Set<String> ids = new TreeSet<>(view.to());
        ids.add(view.proposer());
        view.timeline().forEach(entry -> {
            ids.add(entry.event().actor());
            if (entry.event() instanceof Unreachable unreachable) {
                ids.addAll(unreachable.missingMembers());
            } else if (entry.event() instanceof Reachable reachable) {
                ids.addAll(reachable.couldFulfil());
            }
        });
        view.guidance()
                .mustAct()
                .forEach(assignment -> ids.add(assignment.party().toString()));
        view.guidance().waitingOn().forEach(party -> ids.add(party.toString()));
        view.guidance().moves().forEach(move -> move.allowedParties().forEach(party -> ids.add(party.toString())));
        ids.removeIf(id ->
                view.names().hiddenIds().contains(id) || view.names().of(id).equals(id));
        if (!ids.isEmpty()) {
            json.writeObjectPropertyStart("names");
            ids.forEach(id -> json.writeStringProperty(id, view.names().of(id)));
            json.writeEndObject();
        }
    }

    private static void guidance(JsonGenerator json, LifecycleGuidance guidance) {
        json.writeStringProperty("status", guidance.status());
        json.writeArrayPropertyStart("mustAct");
        for (LifecycleGuidance.Assignment assignment : guidance.mustAct()) {
            json.writeStartObject();
            json.writeStringProperty("who", assignment.party().toString());
            json.writeStringProperty("as", assignment.role());
            json.writeStringProperty("since", assignment.since().toString());
            json.writeEndObject();
        }
        json.writeEndArray();
        parties(json, "waitingOn", guidance.waitingOn());
        json.writeStringProperty("nextStep", guidance.nextStep());
        json.writeArrayPropertyStart("toAdvance");
        for (MoveEligibility moveEligibility : guidance.moves()) {
            json.writeStartObject();
            json.writeStringProperty("to", moveEligibility.to());
            parties(json, "whoMay", moveEligibility.allowedParties());
            json.writeBooleanProperty("youMay", moveEligibility.actorMay());
            ProposalEventCodec.writeOptional(
                    json, "barred", moveEligibility.blockReason().orElse(null));
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeStringProperty("since", guidance.since().toString());
        guidance.nextDeadline().ifPresent(expected -> {
            json.writeStringProperty("until", expected.at().toString());
            json.writeStringProperty("then", expected.consequence());
        });
    }

    private static void timelineEntry(
            JsonGenerator json, ProposalTimelineEntry proposalTimelineEntry, ProposalView view) {
        ProposalEvent event = proposalTimelineEntry.event();
        json.writeStartObject();
        json.writeStringProperty("at", proposalTimelineEntry.at().toString());
        json.writeStringProperty("event", event.type());
        json.writeStringProperty("by", view.names().id(event.actor()));
        ProposalEventCodec.writeOptional(json, "envelope", event.envelopeId());
        details(json, event, view);
        json.writeEndObject();
    }

    private static void details(JsonGenerator json, ProposalEvent event, ProposalView view) {
        switch (event) {
            case Proposed proposed ->
                json.writeStringProperty("expiresAt", proposed.expiresAt().toString());
            case Fulfilled fulfilled -> writeApproval(json, fulfilled, view);
            case ApprovalHeld held -> writeApproval(json, held.approval(), view);
            case CallerDisconnected(String _, Instant deadline) ->
                ProposalEventCodec.writeOptional(json, "until", deadline == null ? null : deadline.toString());
            case HeldApprovalDropped(String reason) -> json.writeStringProperty("why", reason);
            case Answered answered -> {
                json.writeStringProperty("outcome", answered.failed() ? "failed" : "succeeded");
                json.writeBooleanProperty("late", answered.late());
                if (view.isIgnoredAnswer(answered)) {
                    json.writeBooleanProperty("ignored", true);
                }
                writeRaw(json, "result", answered.payload().toString());
            }
            case Rejected rejected -> writeReasonAndNote(json, rejected.reason(), rejected.note());
            case Withdrawn withdrawn -> writeReasonAndNote(json, withdrawn.reason(), null);
            case StatusReported given -> {
                json.writeStringProperty("status", given.status());
                writeReasonAndNote(json, null, given.note());
            }
            case Expired _, CallerWaits _, Forwarded _, SecretsRevealed _, RunCancelled _ -> {}
            case ClosedByRejections _ -> ProposalEventCodec.writeReasons(json, view.rejections());
            case OutcomeUnknown unknown -> json.writeStringProperty("why", ProposalEventCodec.label(unknown.reason()));
            case Unreachable unreachable ->
                ProposalEventCodec.writeTexts(json, "couldFulfil", view.names().ids(unreachable.missingMembers()));
            case Reachable reachable ->
                ProposalEventCodec.writeTexts(json, "couldFulfil", view.names().ids(reachable.couldFulfil()));
            case NotForwarded not -> json.writeStringProperty("why", not.reason());
        }
    }

    private static void writeApproval(JsonGenerator json, Fulfilled fulfilled, ProposalView view) {
        ProposalEventCodec.writeTexts(json, "to", fulfilled.storedEnvelope().to());
        json.writeBooleanProperty("edited", fulfilled.edited());
        ProposalEventCodec.writeOptional(
                json,
                "check",
                fulfilled.editCheck() == null ? null : fulfilled.editCheck().label());
        if (fulfilled.edited()) {
            writeRaw(
                    json,
                    "proposedParams",
                    ProposalCallArguments.of(view.payload()).json());
            writeRaw(
                    json,
                    "fulfilledParams",
                    ProposalCallArguments.of(fulfilled.payload()).json());
        }
    }

    private static void writeReasonAndNote(JsonGenerator json, @Nullable String reason, @Nullable String note) {
        ProposalEventCodec.writeOptional(json, "reason", reason);
        ProposalEventCodec.writeOptional(json, "note", note);
    }

    private static void parties(JsonGenerator json, String name, List<PersonOrGroup> personOrGroups) {
        ProposalEventCodec.writeTexts(
                json, name, personOrGroups.stream().map(PersonOrGroup::toString).toList());
    }

    private static void writeRaw(JsonGenerator json, String name, String value) {
        json.writeName(name);
        json.writeRawValue(value);
    }
}
