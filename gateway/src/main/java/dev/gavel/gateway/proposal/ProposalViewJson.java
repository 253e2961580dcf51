package dev.gavel.gateway.proposal;

import dev.gavel.gateway.proposal.ProposalEvent.Answered;
import dev.gavel.gateway.proposal.ProposalEvent.ClosedByRejections;
import dev.gavel.gateway.proposal.ProposalEvent.Expired;
import dev.gavel.gateway.proposal.ProposalEvent.Forwarded;
import dev.gavel.gateway.proposal.ProposalEvent.Fulfilled;
import dev.gavel.gateway.proposal.ProposalEvent.NotForwarded;
import dev.gavel.gateway.proposal.ProposalEvent.OutcomeUnknown;
import dev.gavel.gateway.proposal.ProposalEvent.Proposed;
import dev.gavel.gateway.proposal.ProposalEvent.Reachable;
import dev.gavel.gateway.proposal.ProposalEvent.Rejected;
import dev.gavel.gateway.proposal.ProposalEvent.StatusGiven;
import dev.gavel.gateway.proposal.ProposalEvent.Unreachable;
import dev.gavel.gateway.proposal.ProposalEvent.Withdrawn;
import dev.gavel.lifecycle.answer.Guidance;
import dev.gavel.lifecycle.answer.Prospect;
import dev.gavel.lifecycle.people.Party;
import dev.gavel.mcpx.JsonText;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** How a {@link ProposalView} is written. Stateless. */
final class ProposalViewJson {
    private ProposalViewJson() {}

    static byte[] write(ProposalView view) {
        return JsonText.write(json -> {
            json.writeStartObject();
            json.writeStringProperty("id", view.id());
            json.writeStringProperty("from", view.from());
            ProposalEvents.texts(json, "to", view.to());
            json.writeStringProperty("kind", view.kind().toString());
            raw(json, "payload", view.payload().toString());
            json.writeStringProperty("state", view.state().word());
            view.outcome().ifPresent(outcome -> json.writeStringProperty("outcome", outcome.word()));
            ProposalEvents.reasons(json, view.reasons());
            json.writeStringProperty("expiresAt", view.expiresAt().toString());
            ProposalEvents.texts(json, "couldRun", view.couldRun());
            json.writeObjectPropertyStart("guidance");
            guidance(json, view.guidance());
            json.writeEndObject();
            json.writeArrayPropertyStart("timeline");
            view.timeline().forEach(step -> step(json, step, view));
            json.writeEndArray();
            json.writeEndObject();
        });
    }

    private static void guidance(JsonGenerator json, Guidance guidance) {
        json.writeStringProperty("status", guidance.status());
        json.writeArrayPropertyStart("mustAct");
        for (Guidance.Holding holding : guidance.mustAct()) {
            json.writeStartObject();
            json.writeStringProperty("who", holding.who().toString());
            json.writeStringProperty("as", holding.as());
            json.writeStringProperty("since", holding.since().toString());
            json.writeEndObject();
        }
        json.writeEndArray();
        parties(json, "waitingOn", guidance.waitingOn());
        json.writeStringProperty("nextStep", guidance.nextStep());
        json.writeArrayPropertyStart("toAdvance");
        for (Prospect prospect : guidance.toAdvance()) {
            json.writeStartObject();
            json.writeStringProperty("to", prospect.to());
            parties(json, "whoMay", prospect.whoMay());
            json.writeBooleanProperty("youMay", prospect.youMay());
            ProposalEvents.optional(json, "barred", prospect.barred().orElse(null));
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeStringProperty("since", guidance.since().toString());
        guidance.expected().ifPresent(expected -> {
            json.writeStringProperty("until", expected.by().toString());
            json.writeStringProperty("then", expected.then());
        });
    }

    private static void step(JsonGenerator json, Step step, ProposalView view) {
        ProposalEvent event = step.event();
        json.writeStartObject();
        json.writeStringProperty("at", step.at().toString());
        json.writeStringProperty("event", event.type());
        json.writeStringProperty("by", event.by());
        ProposalEvents.optional(json, "envelope", event.reference());
        details(json, event, view);
        json.writeEndObject();
    }

    private static void details(JsonGenerator json, ProposalEvent event, ProposalView view) {
        switch (event) {
            case Proposed proposed ->
                json.writeStringProperty("expiresAt", proposed.expiresAt().toString());
            case Fulfilled fulfilled -> {
                ProposalEvents.texts(json, "to", fulfilled.sent().to());
                json.writeBooleanProperty("edited", fulfilled.edited());
                if (fulfilled.edited()) {
                    raw(json, "proposedParams", Arguments.of(view.payload()).json());
                    raw(
                            json,
                            "fulfilledParams",
                            Arguments.of(fulfilled.payload()).json());
                }
            }
            case Answered answered -> {
                json.writeStringProperty("outcome", answered.failed() ? "failed" : "succeeded");
                json.writeBooleanProperty("late", answered.late());
                raw(json, "result", answered.payload().toString());
            }
            case Rejected rejected -> remark(json, rejected.reason(), rejected.note());
            case Withdrawn withdrawn -> remark(json, withdrawn.reason(), null);
            case StatusGiven given -> {
                json.writeStringProperty("status", given.status());
                remark(json, null, given.note());
            }
            case Expired _, Forwarded _ -> {}
            case ClosedByRejections closed -> ProposalEvents.reasons(json, closed.reasons());
            case OutcomeUnknown unknown -> json.writeStringProperty("why", ProposalEvents.word(unknown.why()));
            case Unreachable unreachable -> ProposalEvents.texts(json, "couldFulfil", unreachable.couldFulfil());
            case Reachable reachable -> ProposalEvents.texts(json, "couldFulfil", reachable.couldFulfil());
            case NotForwarded not -> json.writeStringProperty("why", not.why());
        }
    }

    private static void remark(JsonGenerator json, @Nullable String reason, @Nullable String note) {
        ProposalEvents.optional(json, "reason", reason);
        ProposalEvents.optional(json, "note", note);
    }

    private static void parties(JsonGenerator json, String name, List<Party> parties) {
        ProposalEvents.texts(json, name, parties.stream().map(Party::toString).toList());
    }

    private static void raw(JsonGenerator json, String name, String value) {
        json.writeName(name);
        json.writeRawValue(value);
    }
}
