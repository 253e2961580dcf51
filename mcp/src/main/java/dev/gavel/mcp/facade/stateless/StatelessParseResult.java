package dev.gavel.mcp.facade.stateless;

import dev.gavel.mcp.facade.call.ClientMessageFactory;
import dev.gavel.mcp.facade.call.McpLogLevel;
import dev.gavel.mcp.facade.transport.HttpHeaderLookup;
import dev.gavel.mcp.facade.transport.McpVersion;
import dev.gavel.mcp.rpc.HeaderValueCodec;
import dev.gavel.mcp.rpc.McpMetaFields;
import dev.gavel.mcp.rpc.RawJsonEditor;
import dev.gavel.mcp.rpc.RoutingHeaderNames;
import dev.gavel.mcp.rpc.RpcErrorCode;
import dev.gavel.mcp.rpc.RpcMessage;
import dev.gavel.mcp.rpc.ToolParamHeaderMapping;
import dev.gavel.mcpx.InputExcerptFormatter;
import dev.gavel.mcpx.json.Json;
import java.util.Optional;

/**
 * The result of parsing a stateless MCP request and checking it against its HTTP headers: the request, or an error
 * response.
 */
public sealed interface StatelessParseResult {
    /** Limit on the client's text that a response repeats, in characters. */
    int MAX_SHOWN_LENGTH = 100;

    /** The request is valid. */
    record Valid(StatelessRequest request) implements StatelessParseResult {}

    /** The request is not valid. */
    record Invalid(RpcMessage.ErrorResponse response) implements StatelessParseResult {}

    /** Whether a request belongs to a stateless version, valid or not. */
    static boolean isStateless(RpcMessage.Request request, HttpHeaderLookup headers) {
        if (request.params()
                        .flatMap(params -> RawJsonEditor.at(params, McpMetaFields.META, McpMetaFields.VERSION))
                        .isPresent()
                || request.method().equals("server/discover")) {
            return true;
        }
        return !request.method().equals("initialize")
                && headers.get(RoutingHeaderNames.VERSION)
                        .flatMap(McpVersion::of)
                        .filter(version -> !version.isStateful())
                        .isPresent();
    }

    /** Parses and checks a request. */
    static StatelessParseResult parse(RpcMessage.Request request, HttpHeaderLookup headers) {
        String params = request.params().orElse("{}");
        // Parsed once and separately: the rest of the parameters may be long.
        Json meta = RawJsonEditor.at(params, McpMetaFields.META)
                .flatMap(Json::parse)
                .orElseGet(Json::object);
        Optional<String> version = meta.at(McpMetaFields.VERSION).asText();
        Optional<Json> capabilities =
                Optional.of(meta.at(McpMetaFields.CAPABILITIES)).filter(json -> json.type() == Json.Type.OBJECT);
        if (version.isEmpty()) {
            return invalid(
                    request,
                    RpcErrorCode.INVALID_PARAMS,
                    "'_meta' must contain '" + McpMetaFields.VERSION + "', a string.");
        }
        if (capabilities.isEmpty()) {
            return invalid(
                    request,
                    RpcErrorCode.INVALID_PARAMS,
                    "'_meta' must contain '" + McpMetaFields.CAPABILITIES + "', an object.");
        }
        Optional<String> mismatch = findHeaderMismatch(request, params, version.get(), headers);
        if (mismatch.isPresent()) {
            return invalid(request, RpcErrorCode.HEADER_MISMATCH, "Header mismatch: " + mismatch.get() + ".");
        }
        if (McpVersion.of(version.get()).filter(known -> !known.isStateful()).isEmpty()) {
            return new Invalid(unsupportedVersion(request.id(), version.get()));
        }
        Json level = meta.at(McpMetaFields.LOG_LEVEL);
        Optional<McpLogLevel> mcpLogLevel = level.asText().flatMap(McpLogLevel::of);
        if (level.isPresent() && mcpLogLevel.isEmpty()) {
            return invalid(
                    request,
                    RpcErrorCode.INVALID_PARAMS,
                    "'" + McpMetaFields.LOG_LEVEL + "' must be one of " + McpLogLevel.ALL_NAMES + ".");
        }
        return new Valid(new StatelessRequest(
                request.id(),
                request.method(),
                params,
                capabilities.get().detached(),
                mcpLogLevel,
                headers.withPrefix(ToolParamHeaderMapping.PREFIX)));
    }

    /** Returns the error response for an unsupported version. */
    static RpcMessage.ErrorResponse unsupportedVersion(String id, String requested) {
        return RpcErrorCode.UNSUPPORTED_VERSION.toResponse(
                id,
                McpVersion.of(requested).isPresent()
                        ? "This MCP version needs a session. Send initialize first."
                        : "This MCP version is not supported. Supported versions: "
                                + String.join(", ", McpVersion.dates()) + ".",
                ClientMessageFactory.jsonObject(json -> {
                    json.writeArrayPropertyStart("supported");
                    McpVersion.dates().forEach(json::writeString);
                    json.writeEndArray();
                    json.writeStringProperty(
                            "requested", requested.substring(0, Math.min(requested.length(), MAX_SHOWN_LENGTH)));
                }));
    }

    private static StatelessParseResult invalid(RpcMessage.Request request, RpcErrorCode error, String reason) {
        return new Invalid(error.toResponse(request.id(), reason));
    }

    /** Intermediaries that read only the headers must see the same request as the facade. */
    private static Optional<String> findHeaderMismatch(
            RpcMessage.Request request, String params, String version, HttpHeaderLookup headers) {
        return checkHeader(headers, RoutingHeaderNames.VERSION, version, false)
                .or(() -> checkHeader(headers, RoutingHeaderNames.METHOD, request.method(), false))
                .or(() -> RoutingHeaderNames.nameParameter(request.method())
                        .flatMap(name -> RawJsonEditor.at(params, name)
                                .flatMap(Json::parse)
                                .flatMap(Json::asText))
                        .flatMap(name -> checkHeader(headers, RoutingHeaderNames.NAME, name, true)));
    }

    private static Optional<String> checkHeader(
            HttpHeaderLookup headers, String header, String expected, boolean encoded) {
        Optional<String> sent = headers.get(header);
        if (sent.isEmpty()) {
            return Optional.of("the header " + header + " is missing");
        }
        Optional<String> value = encoded ? sent.flatMap(HeaderValueCodec::decode) : sent;
        if (value.isEmpty()) {
            return Optional.of("the header " + header + " cannot be decoded");
        }
        return value.get().equals(expected)
                ? Optional.empty()
                : Optional.of("the header " + header + " is " + InputExcerptFormatter.quote(value.get())
                        + ", but the body has " + InputExcerptFormatter.quote(expected));
    }
}
