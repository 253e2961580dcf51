package dev.gavel.mcp.rpc;

import dev.gavel.mcpx.Encoding;
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
 * Reads JSON-RPC messages up to a size.
 *
 * @param longest characters, or bytes where bytes are read
 */
public record MessageReader(int longest) {
    /** What we read where nothing else is said. */
    public static final MessageReader USUAL = new MessageReader(16 * 1024 * 1024);

    /** Of a message's own names each may stand once: two readers might each take another one for it. */
    private static final Set<String> NAMES = Set.of("jsonrpc", "id", "method", "params", "result", "error");

    private static final int LONGEST_ID = 1000;

    /** Reads one message from UTF-8. */
    public Reading read(byte[] text) {
        if (text.length > longest) {
            return tooLong(text.length);
        }
        return Encoding.isUtf8(text)
                ? read(new String(text, StandardCharsets.UTF_8))
                : malformed(RpcError.PARSE_ERROR, "It is not UTF-8 text.");
    }

    /** Reads one message. */
    public Reading read(String text) {
        if (text.length() > longest) {
            return tooLong(text.length());
        }
        try (JsonParser parser = RawJson.FACTORY.createParser(ObjectReadContext.empty(), text)) {
            JsonToken first = parser.nextToken();
            if (first == JsonToken.START_ARRAY) {
                return malformed(RpcError.INVALID_REQUEST, "Send messages one by one: a list of them is not taken.");
            }
            if (first != JsonToken.START_OBJECT) {
                return malformed(
                        first == null ? RpcError.PARSE_ERROR : RpcError.INVALID_REQUEST, "It is not a JSON object.");
            }
            return new Fields(text).read(parser);
        } catch (StreamConstraintsException e) {
            return malformed(
                    RpcError.INVALID_REQUEST,
                    "It is too deep, at more than " + RawJson.DEPTH + " levels, or a number in it is too long.");
        } catch (JacksonException e) {
            return malformed(RpcError.PARSE_ERROR, "It is not valid JSON.");
        }
    }

    private Malformed tooLong(int length) {
        return malformed(
                RpcError.INVALID_REQUEST, "It is " + length + " characters long; at most " + longest + " are taken.");
    }

    private static Malformed malformed(RpcError error, String why) {
        return new Malformed(error, why, Optional.empty());
    }

    /** A message's own fields. */
    private static final class Fields {
        private final String text;
        private final Map<String, String> raw = new HashMap<>();
        private final Map<String, JsonToken> types = new HashMap<>();
        private @Nullable String method;
        private @Nullable String problem;
        private boolean version;

        Fields(String text) {
            this.text = text;
        }

        Reading read(JsonParser parser) {
            for (String name = parser.nextName(); name != null; name = parser.nextName()) {
                JsonToken type = parser.nextToken();
                if (!NAMES.contains(name)) {
                    parser.skipChildren();
                } else if (types.put(name, type) != null) {
                    return malformed(RpcError.INVALID_REQUEST, "'" + name + "' stands in it twice.");
                } else {
                    take(parser, name, type);
                }
            }
            if (parser.nextToken() != null) {
                return malformed(RpcError.PARSE_ERROR, "Something follows after its end.");
            }
            return message();
        }

        private void take(JsonParser parser, String name, JsonToken type) {
            raw.put(name, RawJson.span(parser).in(text));
            if (name.equals("method") && type == JsonToken.VALUE_STRING) {
                method = parser.getString();
            } else if (name.equals("jsonrpc")) {
                version = type == JsonToken.VALUE_STRING && parser.getString().equals("2.0");
            }
        }

        private Reading message() {
            String id = raw.get("id");
            boolean named = types.containsKey("method");
            boolean goodId = id != null && id.length() <= LONGEST_ID && isId(types.get("id"));
            if (!version) {
                problem = "'jsonrpc' must be \"2.0\".";
            } else if (named && (method == null || method.isEmpty())) {
                problem = "'method' must be a text.";
            } else if (named && types.containsKey("params") && types.get("params") != JsonToken.START_OBJECT) {
                problem = "'params' must be an object.";
            } else if (named && id != null && !goodId) {
                problem = "'id' must be a text or a number, and not a long one.";
            } else if (!named && raw.containsKey("result") == raw.containsKey("error")) {
                problem = "It has neither a method, nor either a result or an error.";
            } else if (!named && raw.containsKey("error") && types.get("error") != JsonToken.START_OBJECT) {
                problem = "'error' must be an object.";
            } else if (!named && raw.containsKey("result") && !goodId) {
                problem = "A result needs the 'id' of what it answers.";
            }
            if (problem != null) {
                return new Malformed(
                        RpcError.INVALID_REQUEST,
                        problem,
                        goodId && named ? Optional.ofNullable(id) : Optional.empty());
            }
            if (method != null) {
                Optional<String> params = Optional.ofNullable(raw.get("params"));
                return id == null ? new Message.Notification(method, params) : new Message.Request(id, method, params);
            }
            String result = raw.get("result");
            return result != null && id != null
                    ? new Message.Response(id, result)
                    : new Message.Failure(goodId && id != null ? id : "null", raw.getOrDefault("error", "{}"));
        }

        private static boolean isId(@Nullable JsonToken type) {
            return type == JsonToken.VALUE_STRING || (type != null && type.isNumeric());
        }
    }
}
