package dev.gavel.mcp.rpc;

import dev.gavel.mcpx.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * A JSON-RPC request, notification or response that keeps ids, parameters, results and errors as the JSON text
 * received. So a forwarded message is not changed by a single character. Every case is immutable.
 */
public sealed interface RpcMessage extends RpcParseResult {
    /** Parses a message within the default length limit. */
    static RpcParseResult read(String text) {
        return RpcMessageParser.DEFAULT.read(text);
    }

    /** Parses a message from UTF-8 within the default length limit. */
    static RpcParseResult read(byte[] text) {
        return RpcMessageParser.DEFAULT.read(text);
    }

    /** Returns the message as JSON, with its parts as raw JSON. */
    String json();

    /**
     * Returns the message as JSON on one line. Line breaks can occur only between JSON tokens, so a space can replace
     * them.
     */
    default String line() {
        return json().replace('\n', ' ').replace('\r', ' ');
    }

    /** Returns the line as UTF-8, without a line terminator. */
    default byte[] bytes() {
        return line().getBytes(StandardCharsets.UTF_8);
    }

    /** A message that responds to the request with its id. */
    sealed interface Response extends RpcMessage {
        /** Returns the id of the request as raw JSON; {@code null} if the request could not be parsed. */
        String id();

        /** Returns the same response for another request. */
        Response withId(String other);
    }

    /** A message that names a method. */
    sealed interface MethodMessage extends RpcMessage {
        String method();

        Optional<String> params();
    }

    /**
     * A message that expects a response.
     *
     * @param id a JSON string or number, as raw JSON
     * @param params a JSON object, as raw JSON
     */
    record Request(String id, String method, Optional<String> params) implements MethodMessage {
        @Override
        public String json() {
            return "{\"jsonrpc\":\"2.0\",\"id\":" + id + JsonFragments.methodAndParams(method, params);
        }
    }

    /**
     * A message that expects no response.
     *
     * @param params a JSON object, as raw JSON
     */
    record Notification(String method, Optional<String> params) implements MethodMessage {
        @Override
        public String json() {
            return "{\"jsonrpc\":\"2.0\"" + JsonFragments.methodAndParams(method, params);
        }
    }

    /**
     * A successful response.
     *
     * @param result any JSON value, as raw JSON
     */
    record ResultResponse(String id, String result) implements Response {
        @Override
        public ResultResponse withId(String other) {
            return new ResultResponse(other, result);
        }

        @Override
        public String json() {
            return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":" + result + "}";
        }
    }

    /**
     * A response that reports an error.
     *
     * @param error a JSON object, as raw JSON
     */
    record ErrorResponse(String id, String error) implements Response {
        @Override
        public ErrorResponse withId(String other) {
            return new ErrorResponse(other, error);
        }

        @Override
        public String json() {
            return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"error\":" + error + "}";
        }

        /** Returns the error message for a person. */
        public String message() {
            return RawJsonEditor.at(error, "message")
                    .flatMap(Json::parse)
                    .flatMap(Json::asText)
                    .orElse("no reason given");
        }

        /** Returns the error code, or 0 if there is none. */
        public long code() {
            return RawJsonEditor.at(error, "code")
                    .flatMap(Json::parse)
                    .map(code -> code.asLong(0))
                    .orElse(0L);
        }
    }

    /** Builds the parts that several messages share. */
    final class JsonFragments {
        private JsonFragments() {}

        private static String methodAndParams(String method, Optional<String> params) {
            return ",\"method\":" + Json.ofText(method).raw()
                    + params.map(raw -> ",\"params\":" + raw).orElse("") + "}";
        }
    }
}
