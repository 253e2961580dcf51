package dev.gavel.mcp.rpc;

import dev.gavel.mcpx.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * A JSON-RPC request, notification or response that keeps ids, parameters, results and errors as the JSON text
 * received. Ids, parameters, results and errors are JSON as it was written, so that what is passed on is not changed by
 * a single letter. Every case is immutable.
 */
public sealed interface RpcMessage extends RpcParseResult {
    /** Reads a message within the usual bounds. */
    static RpcParseResult read(String text) {
        return RpcMessageReader.DEFAULT.read(text);
    }

    /** Reads a message from UTF-8 within the usual bounds. */
    static RpcParseResult read(byte[] text) {
        return RpcMessageReader.DEFAULT.read(text);
    }

    /** The message as JSON, with its parts as they were written. */
    String json();

    /** The message as JSON on one line. A line break can only stand between JSON's parts, where a space is as good. */
    default String line() {
        return json().replace('\n', ' ').replace('\r', ' ');
    }

    /** The line as UTF-8, without its end. */
    default byte[] bytes() {
        return line().getBytes(StandardCharsets.UTF_8);
    }

    /** What says by its id which request it answers. */
    sealed interface Response extends RpcMessage {
        /** The request's id, as it was written; {@code null} where the request could not be read. */
        String id();

        /** The same answer to another request. */
        Response withId(String other);
    }

    /** What names a method. */
    sealed interface MethodMessage extends RpcMessage {
        String method();

        Optional<String> params();
    }

    /**
     * Asks for an answer.
     *
     * @param id a JSON string or number, as it was written
     * @param params a JSON object, as it was written
     */
    record Request(String id, String method, Optional<String> params) implements MethodMessage {
        @Override
        public String json() {
            return "{\"jsonrpc\":\"2.0\",\"id\":" + id + JsonFragments.methodAndParams(method, params);
        }
    }

    /**
     * Asks for none.
     *
     * @param params a JSON object, as it was written
     */
    record Notification(String method, Optional<String> params) implements MethodMessage {
        @Override
        public String json() {
            return "{\"jsonrpc\":\"2.0\"" + JsonFragments.methodAndParams(method, params);
        }
    }

    /**
     * Answers a request.
     *
     * @param result any JSON, as it was written
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
     * Says why a request is not answered.
     *
     * @param error a JSON object, as it was written
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

        /** What it says to a person. */
        public String message() {
            return RawJsonEditor.at(error, "message")
                    .flatMap(Json::parse)
                    .flatMap(Json::asText)
                    .orElse("no reason given");
        }

        /** Its code; 0 where it has none. */
        public long code() {
            return RawJsonEditor.at(error, "code")
                    .flatMap(Json::parse)
                    .map(code -> code.asLong(0))
                    .orElse(0L);
        }
    }

    /** How messages are put together. */
    final class JsonFragments {
        private JsonFragments() {}

        private static String methodAndParams(String method, Optional<String> params) {
            return ",\"method\":" + Json.ofText(method).raw()
                    + params.map(raw -> ",\"params\":" + raw).orElse("") + "}";
        }
    }
}
