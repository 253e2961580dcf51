package dev.gavel.mcpx;

import dev.gavel.mcpx.json.Json;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** Encodes the gateway's system messages as envelopes in the current or the legacy syntax. */
final class SystemMessageEncoder {
    private static final Kind WELCOME = Kind.of("system.welcome");
    private static final Kind PRESENCE = Kind.of("system.presence");
    private static final Kind ERROR = Kind.of("system.error");
    private static final Kind EXPIRED = Kind.of("system.proposal.expired");
    private static final Kind WITHDRAWN = Kind.of("system.proposal.withdrawn");
    private static final Kind HELD = Kind.of("system.proposal.approval_held");
    private static final Kind DROPPED = Kind.of("system.proposal.approval_dropped");
    private static final Kind UNREACHABLE = Kind.of("system.proposal.unreachable");
    private static final Kind REACHABLE = Kind.of("system.proposal.reachable");
    private static final Kind REJECTED = Kind.of("system.proposal.rejected");
    private static final Kind RESYNC = Kind.of("system.resync");

    private SystemMessageEncoder() {}

    static Kind kind(SystemMessage message) {
        return switch (message) {
            case SystemMessage.Welcome _ -> WELCOME;
            case SystemMessage.Presence _ -> PRESENCE;
            case SystemMessage.Failure _ -> ERROR;
            case SystemMessage.Expired _ -> EXPIRED;
            case SystemMessage.Withdrawn _ -> WITHDRAWN;
            case SystemMessage.ApprovalHeld _ -> HELD;
            case SystemMessage.ApprovalDropped _ -> DROPPED;
            case SystemMessage.Unreachable _ -> UNREACHABLE;
            case SystemMessage.Reachable _ -> REACHABLE;
            case SystemMessage.Rejected _ -> REJECTED;
            case SystemMessage.Resync _ -> RESYNC;
        };
    }

    static byte[] encode(SystemMessage message, String id, Instant ts, List<String> to, EnvelopeSyntax syntaxVersion) {
        return EnvelopeDraft.of(id, kind(message))
                .withSender(SystemMessage.GATEWAY, ts)
                .withRecipients(to)
                .withCorrelationIds(correlationIds(message))
                .encode(syntaxVersion, generator -> {
                    generator.writeStartObject();
                    write(generator, message, syntaxVersion);
                    generator.writeEndObject();
                });
    }

    private static List<String> correlationIds(SystemMessage message) {
        return switch (message) {
            case SystemMessage.Failure failure -> failure.envelope() == null ? List.of() : List.of(failure.envelope());
            case SystemMessage.ProposalMessage notice -> List.of(notice.proposal());
            case SystemMessage.Welcome _, SystemMessage.Presence _, SystemMessage.Resync _ -> List.of();
        };
    }

    private static void write(JsonGenerator generator, SystemMessage message, EnvelopeSyntax syntaxVersion) {
        switch (message) {
            case SystemMessage.Welcome welcome -> welcome(generator, welcome, syntaxVersion);
            case SystemMessage.Presence(SystemMessage.PresenceEvent event, ParticipantInfo participantInfo) -> {
                generator.writeStringProperty("event", event.wireName());
                generator.writeName("participant");
                participantInfo.write(generator, syntaxVersion);
            }
            case SystemMessage.Failure failure -> failure(generator, failure, syntaxVersion);
            case SystemMessage.Expired(String proposal) -> generator.writeStringProperty("proposal", proposal);
            case SystemMessage.Withdrawn(String proposal, String reason) -> {
                generator.writeStringProperty("proposal", proposal);
                generator.writeStringProperty("reason", reason);
            }
            case SystemMessage.ApprovalHeld(String proposal, String envelope) -> {
                generator.writeStringProperty("proposal", proposal);
                generator.writeStringProperty("envelope", envelope);
            }
            case SystemMessage.ApprovalDropped(String proposal, String reason) -> {
                generator.writeStringProperty("proposal", proposal);
                generator.writeStringProperty("reason", reason);
            }
            case SystemMessage.Unreachable(String proposal, List<String> couldFulfil) -> {
                generator.writeStringProperty("proposal", proposal);
                generator.writeName("couldFulfil");
                EnvelopeDraft.writeStrings(generator, couldFulfil);
            }
            case SystemMessage.Reachable(String proposal, List<String> couldFulfil) -> {
                generator.writeStringProperty("proposal", proposal);
                generator.writeName("couldFulfil");
                EnvelopeDraft.writeStrings(generator, couldFulfil);
            }
            case SystemMessage.Rejected(String proposal, List<SystemMessage.Rejection> reasons) -> {
                generator.writeStringProperty("proposal", proposal);
                rejections(generator, reasons);
            }
            case SystemMessage.Resync(long oldest, long seq) -> {
                generator.writeNumberProperty("oldest", oldest);
                generator.writeNumberProperty("seq", seq);
            }
        }
    }

    private static void welcome(JsonGenerator generator, SystemMessage.Welcome welcome, EnvelopeSyntax syntaxVersion) {
        generator.writeName("you");
        welcome.you().write(generator, syntaxVersion);
        generator.writeArrayPropertyStart("participants");
        welcome.participantInfos().forEach(each -> each.write(generator, syntaxVersion));
        generator.writeEndArray();
        generator.writeArrayPropertyStart("proposals");
        welcome.proposals().forEach(each -> writeProposal(generator, each.toString(), syntaxVersion));
        generator.writeEndArray();
        if (welcome.omittedProposals() > 0) {
            generator.writeNumberProperty("more", welcome.omittedProposals());
        }
        generator.writeNumberProperty("seq", welcome.seq());
    }

    /** Writes an open proposal, which is an object with its kind in the current syntax. */
    private static void writeProposal(JsonGenerator generator, String proposal, EnvelopeSyntax syntaxVersion) {
        if (syntaxVersion == EnvelopeSyntax.CURRENT) {
            generator.writeRawValue(proposal);
            return;
        }
        generator.writeStartObject();
        Json.parse(proposal).orElseThrow().members().forEach((name, value) -> {
            if (name.equals("kind")) {
                generator.writeStringProperty(name, Kind.of(value.text()).format(syntaxVersion));
            } else {
                generator.writeName(name);
                generator.writeRawValue(value.raw());
            }
        });
        generator.writeEndObject();
    }

    private static void failure(JsonGenerator generator, SystemMessage.Failure failure, EnvelopeSyntax syntaxVersion) {
        generator.writeStringProperty("error", failure.error().wireName());
        generator.writeStringProperty("message", failure.message());
        if (failure.attemptedKind() != null) {
            generator.writeStringProperty(
                    syntaxVersion.attemptedKindField(), failure.attemptedKind().format(syntaxVersion));
        }
        if (failure.yourCapabilities() != null) {
            generator.writeName(syntaxVersion.yourCapabilitiesField());
            CapabilityJsonCodec.write(generator, failure.yourCapabilities(), syntaxVersion);
        }
        writeOptional(generator, "proposal", failure.proposal());
        writeOptional(generator, "state", failure.state());
        if (failure.retryAfterMs() != null) {
            generator.writeNumberProperty("retryAfterMs", failure.retryAfterMs());
        }
    }

    private static void rejections(JsonGenerator generator, List<SystemMessage.Rejection> reasons) {
        generator.writeArrayPropertyStart("reasons");
        for (SystemMessage.Rejection each : reasons) {
            generator.writeStartObject();
            generator.writeStringProperty("from", each.from());
            generator.writeStringProperty("reason", each.reason());
            writeOptional(generator, "note", each.note());
            generator.writeEndObject();
        }
        generator.writeEndArray();
    }

    private static void writeOptional(JsonGenerator generator, String name, @Nullable String value) {
        if (value != null) {
            generator.writeStringProperty(name, value);
        }
    }
}
