package dev.gavel.gateway.proposal;

import dev.gavel.gateway.proposal.ProposalEvent.Answered;
import dev.gavel.gateway.proposal.ProposalEvent.ApprovalHeld;
import dev.gavel.gateway.proposal.ProposalEvent.CallerDisconnected;
import dev.gavel.gateway.proposal.ProposalEvent.CallerWaits;
import dev.gavel.gateway.proposal.ProposalEvent.ClosedByRejections;
import dev.gavel.gateway.proposal.ProposalEvent.EditCheck;
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
import dev.gavel.mcpx.JsonByteWriter;
import dev.gavel.mcpx.RawPayload;
import dev.gavel.mcpx.SystemMessage;
import dev.gavel.mcpx.ValueParseResult;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;

/**
 * Encodes proposal events as a type and a JSON body, and decodes them. Unknown fields, which a later version may add,
 * are ignored; a field that is missing or of another type is reported. Stateless.
 */
public final class ProposalEventCodec {
    private ProposalEventCodec() {}

    static String type(ProposalEvent event) {
        return switch (event) {
            case Proposed _ -> "proposed";
            case Fulfilled _ -> "fulfilled";
            case Answered _ -> "answered";
            case Rejected _ -> "rejected";
            case Withdrawn _ -> "withdrawn";
            case StatusReported _ -> "status";
            case Expired _ -> "expired";
            case ClosedByRejections _ -> "closed_by_rejections";
            case OutcomeUnknown _ -> "outcome_unknown";
            case RunCancelled _ -> "run_cancelled";
            case Unreachable _ -> "unreachable";
            case Reachable _ -> "reachable";
            case CallerWaits _ -> "caller_waits";
            case CallerDisconnected _ -> "caller_disconnected";
            case ApprovalHeld _ -> "approval_held";
            case HeldApprovalDropped _ -> "held_approval_dropped";
            case Forwarded _ -> "forwarded";
            case NotForwarded _ -> "not_forwarded";
            case SecretsRevealed _ -> "secrets_revealed";
        };
    }

    /** Returns the JSON object that {@link #decode} converts back to the event. */
    public static byte[] encode(ProposalEvent event) {
        return JsonByteWriter.write(json -> {
            json.writeStartObject();
            write(json, event);
            sent(json, event.storedEnvelope());
            json.writeEndObject();
        });
    }

    private static void write(JsonGenerator json, ProposalEvent event) {
        switch (event) {
            case Proposed proposed -> {
                json.writeStringProperty("expiresAt", proposed.expiresAt().toString());
                writeSecrets(json, proposed.secrets());
                RecordedToolCodec.write(json, proposed.tools());
            }
            case Fulfilled fulfilled -> writeApproval(json, fulfilled);
            case ApprovalHeld(Fulfilled approval, String tokenHash) -> {
                writeApproval(json, approval);
                writeOptional(json, "token", tokenHash);
            }
            case Answered answered -> {
                json.writeStringProperty("outcome", answered.failed() ? "failed" : "succeeded");
                json.writeBooleanProperty("late", answered.late());
            }
            case Rejected rejected -> {
                writeActorAndReference(json, rejected.actor(), rejected.envelopeId());
                json.writeStringProperty("reason", rejected.reason());
                writeOptional(json, "note", rejected.note());
            }
            case Withdrawn withdrawn -> {
                json.writeStringProperty("by", withdrawn.actor());
                writeOptional(json, "reference", withdrawn.envelopeId());
                writeOptional(json, "reason", withdrawn.reason());
            }
            case StatusReported given -> {
                writeActorAndReference(json, given.actor(), given.envelopeId());
                json.writeStringProperty("status", given.status());
                writeOptional(json, "note", given.note());
            }
            case Expired _, RunCancelled _ -> {}
            case Forwarded(String process) -> writeOptional(json, "process", process.isEmpty() ? null : process);
            case ClosedByRejections closed -> writeReasons(json, closed.rejections());
            case OutcomeUnknown unknown -> json.writeStringProperty("why", label(unknown.reason()));
            case Unreachable unreachable -> writeTexts(json, "couldFulfil", unreachable.missingMembers());
            case Reachable reachable -> writeTexts(json, "couldFulfil", reachable.couldFulfil());
            case CallerWaits(String process) -> json.writeStringProperty("process", process);
            case CallerDisconnected(String process, Instant deadline) -> {
                json.writeStringProperty("process", process);
                writeOptional(json, "until", deadline == null ? null : deadline.toString());
            }
            case HeldApprovalDropped(String reason) -> json.writeStringProperty("why", reason);
            case NotForwarded(String reason, String process) -> {
                json.writeStringProperty("why", reason);
                writeOptional(json, "process", process.isEmpty() ? null : process);
            }
            case SecretsRevealed revealed -> json.writeStringProperty("by", revealed.actor());
        }
    }

    private static void writeApproval(JsonGenerator json, Fulfilled fulfilled) {
        json.writeBooleanProperty("edited", fulfilled.edited());
        json.writeStringProperty("answerBy", fulfilled.answerDeadline().toString());
        writeSecrets(json, fulfilled.secrets());
        writeOptional(
                json,
                "check",
                fulfilled.editCheck() == null ? null : fulfilled.editCheck().label());
        RecordedToolCodec.write(json, fulfilled.tools());
        if (fulfilled.sentPayload() != null) {
            json.writeName("sentPayload");
            json.writeRawValue(fulfilled.sentPayload().toString());
        }
        if (!fulfilled.redirectedFrom().isEmpty()) {
            writeTexts(json, "redirectedFrom", fulfilled.redirectedFrom());
        }
    }

    private static void writeSecrets(JsonGenerator json, SecretArgumentPatterns secrets) {
        if (!secrets.isEmpty()) {
            writeTexts(json, "secrets", secrets.patterns().stream().sorted().toList());
        }
    }

    private static SecretArgumentPatterns secrets(ProposalEventBodyReader body) {
        return body.has("secrets") ? SecretArgumentPatterns.of(body.texts("secrets")) : SecretArgumentPatterns.NONE;
    }

    /**
     * Returns the body of a stored event with markers in place of its secret arguments; empty if the event has none.
     */
    public static Optional<byte[]> redact(String type, byte[] body) {
        return decode(type, body) instanceof ValueParseResult.Valid<ProposalEvent>(ProposalEvent event)
                ? switch (event) {
                    case Proposed proposed ->
                        proposed.secrets().hasSecrets(proposed.payload())
                                ? Optional.of(encode(proposed.redacted(proposed.secrets())))
                                : Optional.empty();
                    case Fulfilled fulfilled ->
                        fulfilled.secrets().hasSecrets(fulfilled.payload())
                                ? Optional.of(encode(fulfilled.redacted(fulfilled.secrets(), fulfilled.payload())))
                                : Optional.empty();
                    case ApprovalHeld(Fulfilled approval, String tokenHash) ->
                        approval.secrets().hasSecrets(approval.payload())
                                ? Optional.of(encode(new ApprovalHeld(
                                        approval.redacted(approval.secrets(), approval.payload()), tokenHash)))
                                : Optional.empty();
                    default -> Optional.empty();
                }
                : Optional.empty();
    }

    /** Returns the event of this type with this body, or the problem with it. */
    public static ValueParseResult<ProposalEvent> decode(String type, byte[] body) {
        try {
            return new ValueParseResult.Valid<>(decode(type, ProposalEventBodyReader.parse(body)));
        } catch (IllegalArgumentException | DateTimeException | JacksonException e) {
            return new ValueParseResult.Invalid<>("event '" + type + "' cannot be read: " + e.getMessage());
        }
    }

    private static ProposalEvent decode(String type, ProposalEventBodyReader body) {
        return switch (type) {
            case "proposed" ->
                new Proposed(sent(body), body.instant("expiresAt"), secrets(body), RecordedToolCodec.read(body));
            case "fulfilled" -> approval(body);
            case "approval_held" -> new ApprovalHeld(approval(body), body.textOrNull("token"));
            case "held_approval_dropped" -> new HeldApprovalDropped(body.text("why"));
            case "secrets_revealed" -> new SecretsRevealed(body.text("by"));
            case "answered" -> new Answered(sent(body), body.flag("late"));
            case "rejected" ->
                new Rejected(
                        body.text("by"),
                        body.text("reference"),
                        body.text("reason"),
                        body.textOrNull("note"),
                        readEnvelopeOrNull(body));
            case "withdrawn" ->
                new Withdrawn(
                        body.text("by"),
                        body.textOrNull("reference"),
                        body.textOrNull("reason"),
                        readEnvelopeOrNull(body));
            case "status" ->
                new StatusReported(
                        body.text("by"),
                        body.text("reference"),
                        body.text("status"),
                        body.textOrNull("note"),
                        readEnvelopeOrNull(body));
            case "expired" -> new Expired();
            case "closed_by_rejections" ->
                new ClosedByRejections(body.objects("reasons").stream()
                        .map(each -> new SystemMessage.Rejection(
                                each.text("from"), each.text("reason"), each.textOrNull("note")))
                        .toList());
            case "outcome_unknown" -> new OutcomeUnknown(parseReason(body.text("why")));
            case "run_cancelled" -> new RunCancelled(sent(body));
            case "unreachable" -> new Unreachable(body.texts("couldFulfil"));
            case "reachable" -> new Reachable(body.texts("couldFulfil"));
            case "caller_waits" -> new CallerWaits(body.text("process"));
            case "caller_disconnected" ->
                new CallerDisconnected(body.text("process"), body.has("until") ? body.instant("until") : null);
            case "forwarded" -> new Forwarded(processOrEmpty(body));
            case "not_forwarded" -> new NotForwarded(body.text("why"), processOrEmpty(body));
            default ->
                throw new IllegalArgumentException("the event type is unknown; a newer version might have written it");
        };
    }

    private static String processOrEmpty(ProposalEventBodyReader body) {
        return body.has("process") ? body.text("process") : "";
    }

    private static Fulfilled approval(ProposalEventBodyReader body) {
        return new Fulfilled(
                sent(body),
                body.flag("edited"),
                body.instant("answerBy"),
                secrets(body),
                parseCheck(body.textOrNull("check")),
                RecordedToolCodec.read(body),
                body.has("sentPayload") ? RawPayload.of(body.object("sentPayload")) : null,
                body.has("redirectedFrom") ? body.texts("redirectedFrom") : List.of());
    }

    static String label(OutcomeUnknown.Reason reason) {
        return reason.name().toLowerCase(Locale.ROOT);
    }

    private static @Nullable EditCheck parseCheck(@Nullable String label) {
        return label == null ? null : EditCheck.valueOf(label.toUpperCase(Locale.ROOT));
    }

    private static OutcomeUnknown.Reason parseReason(String label) {
        return OutcomeUnknown.Reason.valueOf(label.toUpperCase(Locale.ROOT));
    }

    private static void writeActorAndReference(JsonGenerator json, String by, String reference) {
        json.writeStringProperty("by", by);
        json.writeStringProperty("reference", reference);
    }

    /** Writes the envelope's original bytes, and its recipients only if they differ from its {@code to}. */
    private static void sent(JsonGenerator json, @Nullable StoredEnvelope storedEnvelope) {
        if (storedEnvelope == null) {
            return;
        }
        if (!storedEnvelope.to().equals(storedEnvelope.envelope().to())) {
            writeTexts(json, "to", storedEnvelope.to());
        }
        json.writeName("envelope");
        json.writeRawValue(storedEnvelope.text());
    }

    private static @Nullable StoredEnvelope readEnvelopeOrNull(ProposalEventBodyReader body) {
        return body.has("envelope") ? sent(body) : null;
    }

    private static StoredEnvelope sent(ProposalEventBodyReader body) {
        return StoredEnvelope.load(body.object("envelope"), body.has("to") ? body.texts("to") : null);
    }

    static void writeReasons(JsonGenerator json, List<SystemMessage.Rejection> reasons) {
        json.writeArrayPropertyStart("reasons");
        for (SystemMessage.Rejection each : reasons) {
            json.writeStartObject();
            json.writeStringProperty("from", each.from());
            json.writeStringProperty("reason", each.reason());
            writeOptional(json, "note", each.note());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    static void writeTexts(JsonGenerator json, String name, List<String> texts) {
        json.writeArrayPropertyStart(name);
        texts.forEach(json::writeString);
        json.writeEndArray();
    }

    static void writeOptional(JsonGenerator json, String name, @Nullable String value) {
        if (value != null) {
            json.writeStringProperty(name, value);
        }
    }
}
