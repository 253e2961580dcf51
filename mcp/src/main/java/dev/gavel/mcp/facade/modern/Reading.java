package dev.gavel.mcp.facade.modern;

import dev.gavel.mcp.facade.call.Answers;
import dev.gavel.mcp.facade.call.Severity;
import dev.gavel.mcp.facade.port.Headers;
import dev.gavel.mcp.facade.port.Version;
import dev.gavel.mcp.rpc.HeaderText;
import dev.gavel.mcp.rpc.Message;
import dev.gavel.mcp.rpc.Meta;
import dev.gavel.mcp.rpc.ParamHeaders;
import dev.gavel.mcp.rpc.RawJson;
import dev.gavel.mcp.rpc.RoutingHeaders;
import dev.gavel.mcp.rpc.RpcError;
import dev.gavel.mcpx.Excerpt;
import dev.gavel.mcpx.json.Json;
import java.util.Optional;

/** What a request says of itself, held against the headers it came with. */
public sealed interface Reading {
    /** Of what a client wrote, in an answer. */
    int LONGEST_SHOWN = 100;

    /** It can be answered. */
    record Good(Question question) implements Reading {}

    /** It is not as it must be. */
    record Wrong(Message.Failure failure) implements Reading {}

    /** Whether a request is of a version without sessions, be it well made or not. */
    static boolean concerns(Message.Request request, Headers headers) {
        if (request.params()
                        .flatMap(params -> RawJson.at(params, Meta.META, Meta.VERSION))
                        .isPresent()
                || request.method().equals("server/discover")) {
            return true;
        }
        return !request.method().equals("initialize")
                && headers.get(RoutingHeaders.VERSION)
                        .flatMap(Version::of)
                        .filter(version -> !version.hasSessions())
                        .isPresent();
    }

    /** Reads it. */
    static Reading of(Message.Request request, Headers headers) {
        String params = request.params().orElse("{}");
        // Read once: the rest of the parameters may be long.
        Json meta = RawJson.at(params, Meta.META).flatMap(Json::parse).orElseGet(Json::object);
        Optional<String> version = meta.at(Meta.VERSION).ifText();
        Optional<Json> capabilities =
                Optional.of(meta.at(Meta.CAPABILITIES)).filter(json -> json.type() == Json.Type.OBJECT);
        if (version.isEmpty()) {
            return wrong(request, RpcError.INVALID_PARAMS, "'_meta' must say '" + Meta.VERSION + "', a text.");
        }
        if (capabilities.isEmpty()) {
            return wrong(request, RpcError.INVALID_PARAMS, "'_meta' must say '" + Meta.CAPABILITIES + "', an object.");
        }
        Optional<String> mismatch = mismatch(request, params, version.get(), headers);
        if (mismatch.isPresent()) {
            return wrong(request, RpcError.HEADER_MISMATCH, "Header mismatch: " + mismatch.get() + ".");
        }
        if (Version.of(version.get()).filter(known -> !known.hasSessions()).isEmpty()) {
            return new Wrong(unsupported(request.id(), version.get()));
        }
        Json level = meta.at(Meta.LOG_LEVEL);
        Optional<Severity> severity = level.ifText().flatMap(Severity::of);
        if (level.there() && severity.isEmpty()) {
            return wrong(
                    request, RpcError.INVALID_PARAMS, "'" + Meta.LOG_LEVEL + "' is one of " + Severity.WORDS + ".");
        }
        return new Good(new Question(
                request.id(),
                request.method(),
                params,
                capabilities.get().detached(),
                severity,
                headers.beginning(ParamHeaders.PREFIX)));
    }

    /** The answer to a version that is not spoken. */
    static Message.Failure unsupported(String id, String requested) {
        return RpcError.UNSUPPORTED_VERSION.failure(
                id,
                "This version of MCP is not spoken here"
                        + (Version.of(requested).isPresent()
                                ? " without a handshake; begin with initialize."
                                : "; these are: " + String.join(", ", Version.dates()) + "."),
                Answers.object(json -> {
                    json.writeArrayPropertyStart("supported");
                    Version.dates().forEach(json::writeString);
                    json.writeEndArray();
                    json.writeStringProperty(
                            "requested", requested.substring(0, Math.min(requested.length(), LONGEST_SHOWN)));
                }));
    }

    private static Reading wrong(Message.Request request, RpcError error, String why) {
        return new Wrong(error.failure(request.id(), why));
    }

    /** Whoever looks at the headers alone, on the way, must see what is answered here. */
    private static Optional<String> mismatch(Message.Request request, String params, String version, Headers headers) {
        return differs(headers, RoutingHeaders.VERSION, version, false)
                .or(() -> differs(headers, RoutingHeaders.METHOD, request.method(), false))
                .or(() -> RoutingHeaders.parameter(request.method())
                        .flatMap(name ->
                                RawJson.at(params, name).flatMap(Json::parse).flatMap(Json::ifText))
                        .flatMap(name -> differs(headers, RoutingHeaders.NAME, name, true)));
    }

    private static Optional<String> differs(Headers headers, String header, String said, boolean encoded) {
        Optional<String> sent = headers.get(header);
        if (sent.isEmpty()) {
            return Optional.of("the header " + header + " is missing");
        }
        Optional<String> value = encoded ? sent.flatMap(HeaderText::decode) : sent;
        if (value.isEmpty()) {
            return Optional.of("the header " + header + " cannot be read");
        }
        return value.get().equals(said)
                ? Optional.empty()
                : Optional.of("the header " + header + " says " + Excerpt.of(value.get()) + ", and the body says "
                        + Excerpt.of(said));
    }
}
