package dev.gavel.mcp.rpc;

import dev.gavel.mcpx.Utf8Validator;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.exc.StreamConstraintsException;

/**
 * Parses JSON-RPC messages up to a maximum length.
 *
 * @param maxLength in characters, or in bytes if the input is bytes
 */
public record RpcMessageParser(int maxLength) {
    /** The reader with the default limit of 16 MiB. */
    public static final RpcMessageParser DEFAULT = new RpcMessageParser(16 * 1024 * 1024);

    /** The names that JSON-RPC defines. Each may occur only once: two parsers might each use a different value. */
    private static final Set<String> NAMES = Set.of("jsonrpc", "id", "method", "params", "result", "error");

    private static final int MAX_ID_LENGTH = 1000;

    /** Parses one message from UTF-8. */
    public RpcParseResult read(byte[] text) {
        if (text.length > maxLength) {
            return tooLong(text.length);
        }
        return Utf8Validator.isUtf8(text)
                ? read(new String(text, StandardCharsets.UTF_8))
                : malformed(RpcErrorCode.PARSE_ERROR, "The message is not UTF-8 text.");
    }

    /** Parses one message. */
    public RpcParseResult read(String text) {
        if (text.length() > maxLength) {
            return tooLong(text.length());
        }
        try (JsonParser parser = RawJsonEditor.FACTORY.createParser(ObjectReadContext.empty(), text)) {
            JsonToken first = parser.nextToken();
            if (first == JsonToken.START_ARRAY) {
                return malformed(
                        RpcErrorCode.INVALID_REQUEST, "Batches are not supported. Send each message separately.");
            }
            if (first != JsonToken.START_OBJECT) {
                return malformed(
                        first == null ? RpcErrorCode.PARSE_ERROR : RpcErrorCode.INVALID_REQUEST,
                        "The message is not a JSON object.");
            }
            return new MessageFields(text).read(parser);
        } catch (StreamConstraintsException e) {
            return malformed(
                    RpcErrorCode.INVALID_REQUEST,
                    "The message is nested more than " + RawJsonEditor.MAX_DEPTH
                            + " levels deep, or contains a number that is too long.");
        } catch (JacksonException e) {
            return malformed(RpcErrorCode.PARSE_ERROR, "The message is not valid JSON.");
        }
    }

    private MalformedRpcMessage tooLong(int length) {
        return malformed(
                RpcErrorCode.INVALID_REQUEST,
                "The message has " + length + " characters. The limit is " + maxLength + ".");
    }

    private static MalformedRpcMessage malformed(RpcErrorCode error, String reason) {
        return new MalformedRpcMessage(error, reason, Optional.empty());
    }

    /** The JSON-RPC fields of one message. */
    private static final class MessageFields {
        private final String text;
        private final Map<String, String> rawValues = new HashMap<>();
        private final Map<String, JsonToken> types = new HashMap<>();
        private @Nullable String method;
        private @Nullable String problem;
        private boolean versionValid;

        MessageFields(String text) {
            this.text = text;
        }

        RpcParseResult read(JsonParser parser) {
            for (String name = parser.nextName(); name != null; name = parser.nextName()) {
                JsonToken type = parser.nextToken();
                if (!NAMES.contains(name)) {
                    parser.skipChildren();
                } else if (types.put(name, type) != null) {
                    return malformed(RpcErrorCode.INVALID_REQUEST, "The message contains '" + name + "' twice.");
                } else {
                    addField(parser, name, type);
                }
            }
            if (parser.nextToken() != null) {
                return malformed(RpcErrorCode.PARSE_ERROR, "The message is followed by more text.");
            }
            return toMessage();
        }

        private void addField(JsonParser parser, String name, JsonToken type) {
            rawValues.put(name, RawJsonEditor.span(parser).in(text));
            if (name.equals("method") && type == JsonToken.VALUE_STRING) {
                method = parser.getString();
            } else if (name.equals("jsonrpc")) {
                versionValid =
                        type == JsonToken.VALUE_STRING && parser.getString().equals("2.0");
            }
        }

        private RpcParseResult toMessage() {
            String id = rawValues.get("id");
            boolean hasMethod = types.containsKey("method");
            boolean validId = id != null && id.length() <= MAX_ID_LENGTH && isId(types.get("id"));
            if (!versionValid) {
                problem = "'jsonrpc' must be \"2.0\".";
            } else if (hasMethod && (method == null || method.isEmpty())) {
                problem = "'method' must be a non-empty string.";
            } else if (hasMethod && types.containsKey("params") && types.get("params") != JsonToken.START_OBJECT) {
                problem = "'params' must be an object.";
            } else if (hasMethod && id != null && !validId) {
                problem = "'id' must be a string or a number, with at most " + MAX_ID_LENGTH + " characters.";
            } else if (!hasMethod && rawValues.containsKey("result") == rawValues.containsKey("error")) {
                problem = "The message must have a 'method', or either a 'result' or an 'error'.";
            } else if (!hasMethod && rawValues.containsKey("error") && types.get("error") != JsonToken.START_OBJECT) {
                problem = "'error' must be an object.";
            } else if (!hasMethod && rawValues.containsKey("result") && !validId) {
                problem = "A result must have the 'id' of its request.";
            }
            if (problem != null) {
                return new MalformedRpcMessage(
                        RpcErrorCode.INVALID_REQUEST,
                        problem,
                        validId && hasMethod ? Optional.ofNullable(id) : Optional.empty());
            }
            if (method != null) {
                Optional<String> params = Optional.ofNullable(rawValues.get("params"));
                return id == null
                        ? new RpcMessage.Notification(method, params)
                        : new RpcMessage.Request(id, method, params);
            }
            String result = rawValues.get("result");
            return result != null && id != null
                    ? new RpcMessage.ResultResponse(id, result)
                    : new RpcMessage.ErrorResponse(
                            validId && id != null ? id : "null", rawValues.getOrDefault("error", "{}"));
        }

        private static boolean isId(@Nullable JsonToken type) {
            return type == JsonToken.VALUE_STRING || (type != null && type.isNumeric());
        }
    }
}
