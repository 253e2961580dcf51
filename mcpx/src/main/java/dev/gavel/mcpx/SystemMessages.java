package dev.gavel.mcpx;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** How each {@link SystemMessage} is written. */
final class SystemMessages {
    private static final Kind WELCOME = Kind.of("system.welcome");
    private static final Kind PRESENCE = Kind.of("system.presence");
    private static final Kind ERROR = Kind.of("system.error");
    private static final Kind EXPIRED = Kind.of("system.proposal.expired");
    private static final Kind UNREACHABLE = Kind.of("system.proposal.unreachable");
    private static final Kind REACHABLE = Kind.of("system.proposal.reachable");
    private static final Kind REJECTED = Kind.of("system.proposal.rejected");
    private static final Kind RESYNC = Kind.of("system.resync");

    private SystemMessages() {}

    static Kind kind(SystemMessage message) {
        return switch (message) {
            case SystemMessage.Welcome _ -> WELCOME;
            case SystemMessage.Presence _ -> PRESENCE;
            case SystemMessage.Failure _ -> ERROR;
            case SystemMessage.Expired _ -> EXPIRED;
            case SystemMessage.Unreachable _ -> UNREACHABLE;
            case SystemMessage.Reachable _ -> REACHABLE;
            case SystemMessage.Rejected _ -> REJECTED;
            case SystemMessage.Resync _ -> RESYNC;
        };
    }

    static byte[] encode(SystemMessage message, String id, Instant ts, List<String> to, Spelling spelling) {
        return EnvelopeDraft.of(id, kind(message))
                .stamped(SystemMessage.GATEWAY, ts)
                .addressed(to)
                .about(about(message))
                .encode(spelling, generator -> {
                    generator.writeStartObject();
                    write(generator, message, spelling);
                    generator.writeEndObject();
                });
    }

    private static List<String> about(SystemMessage message) {
        return switch (message) {
            case SystemMessage.Failure failure -> failure.envelope() == null ? List.of() : List.of(failure.envelope());
            case SystemMessage.Notice notice -> List.of(notice.proposal());
            case SystemMessage.Welcome _, SystemMessage.Presence _, SystemMessage.Resync _ -> List.of();
        };
    }

    private static void write(JsonGenerator generator, SystemMessage message, Spelling spelling) {
        switch (message) {
            case SystemMessage.Welcome welcome -> welcome(generator, welcome, spelling);
            case SystemMessage.Presence(SystemMessage.Event event, Participant participant) -> {
                generator.writeStringProperty("event", event.wire());
                generator.writeName("participant");
                participant.write(generator, spelling);
            }
            case SystemMessage.Failure failure -> failure(generator, failure, spelling);
            case SystemMessage.Expired(String proposal) -> generator.writeStringProperty("proposal", proposal);
            case SystemMessage.Unreachable(String proposal, List<String> could) -> {
                generator.writeStringProperty("proposal", proposal);
                generator.writeName("couldFulfil");
                EnvelopeDraft.strings(generator, could);
            }
            case SystemMessage.Reachable(String proposal, List<String> could) -> {
                generator.writeStringProperty("proposal", proposal);
                generator.writeName("couldFulfil");
                EnvelopeDraft.strings(generator, could);
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

    private static void welcome(JsonGenerator generator, SystemMessage.Welcome welcome, Spelling spelling) {
        generator.writeName("you");
        welcome.you().write(generator, spelling);
        generator.writeArrayPropertyStart("participants");
        welcome.participants().forEach(each -> each.write(generator, spelling));
        generator.writeEndArray();
        generator.writeArrayPropertyStart("proposals");
        welcome.proposals().forEach(each -> generator.writeRawValue(each.toString()));
        generator.writeEndArray();
        if (welcome.more() > 0) {
            generator.writeNumberProperty("more", welcome.more());
        }
        generator.writeNumberProperty("seq", welcome.seq());
    }

    private static void failure(JsonGenerator generator, SystemMessage.Failure failure, Spelling spelling) {
        generator.writeStringProperty("error", failure.error().wire());
        generator.writeStringProperty("message", failure.message());
        if (failure.attemptedKind() != null) {
            generator.writeStringProperty(
                    spelling.attemptedKind(), failure.attemptedKind().written(spelling));
        }
        if (failure.yourCapabilities() != null) {
            generator.writeName(spelling.yourCapabilities());
            CapabilitiesJson.write(generator, failure.yourCapabilities(), spelling);
        }
        optional(generator, "proposal", failure.proposal());
        optional(generator, "state", failure.state());
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
            optional(generator, "note", each.note());
            generator.writeEndObject();
        }
        generator.writeEndArray();
    }

    private static void optional(JsonGenerator generator, String name, @Nullable String value) {
        if (value != null) {
            generator.writeStringProperty(name, value);
        }
    }
}
