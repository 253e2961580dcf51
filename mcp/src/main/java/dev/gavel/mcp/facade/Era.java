package dev.gavel.mcp.facade;

import dev.gavel.mcp.facade.modern.Question;
import dev.gavel.mcp.facade.modern.Reading;
import dev.gavel.mcp.facade.port.Headers;
import dev.gavel.mcp.facade.port.Version;
import dev.gavel.mcp.rpc.Message;
import dev.gavel.mcp.rpc.RoutingHeaders;
import dev.gavel.mcp.rpc.RpcError;
import java.util.Optional;

/** Which kind of MCP a request is of: found out for each by itself, since clients of both kinds come to the same address. */
public sealed interface Era {
    /** What a request of a version with sessions counts as that says none. */
    String UNSAID = "2025-03-26";

    /** It stands alone. */
    record Alone(Question question) implements Era {}

    /** It belongs to a session, or begins one. */
    record InSession() implements Era {}

    /** It means nothing in its version, and wants no answer. */
    record Meaningless() implements Era {}

    /** It cannot be taken. */
    record Refused(Message.Failure failure) implements Era {}

    /** The kind of a message. */
    static Era of(Message message, Headers headers) {
        if (message instanceof Message.Request request && Reading.concerns(request, headers)) {
            return switch (Reading.of(request, headers)) {
                case Reading.Good(Question question) -> new Alone(question);
                case Reading.Wrong(Message.Failure failure) -> new Refused(failure);
            };
        }
        boolean begins =
                message instanceof Message.Request first && first.method().equals("initialize");
        return begins
                ? new InSession()
                : of(message instanceof Message.Request request ? request.id() : "null", headers)
                        .orElseGet(() -> message instanceof Message.Notification
                                // Whoever wants no answer any more closes the connection.
                                ? new Meaningless()
                                : new Refused(RpcError.INVALID_REQUEST.failure(
                                        "null", "Nothing here asks a client for an answer.")));
    }

    /** The kind of what is asked of a session without a message; nothing where the version has no sessions. */
    static Optional<Era> of(Headers headers) {
        return of("null", headers);
    }

    private static Optional<Era> of(String id, Headers headers) {
        Optional<String> said = headers.get(RoutingHeaders.VERSION).filter(version -> !version.equals(UNSAID));
        if (said.isEmpty()) {
            return Optional.of(new InSession());
        }
        Optional<Version> known = said.flatMap(Version::of);
        if (known.isEmpty()) {
            return Optional.of(new Refused(Reading.unsupported(id, said.get())));
        }
        return known.filter(Version::hasSessions).map(version -> new InSession());
    }
}
