package dev.gavel.cli.sep;

import dev.gavel.client.http.RemoteGateway;
import dev.gavel.client.http.RemoteGatewayException;
import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.service.SepApiRoute;
import dev.gavel.sep.service.SepOperation;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A request to the server's SEP API: an operation, such as vote, and its arguments. Immutable. */
final class SepApiRequest {
    private final SepOperation sepOperation;
    private final Json arguments;

    private SepApiRequest(SepOperation sepOperation, Json arguments) {
        this.sepOperation = sepOperation;
        this.arguments = arguments;
    }

    static SepApiRequest of(SepOperation sepOperation) {
        return new SepApiRequest(sepOperation, Json.object());
    }

    SepApiRequest with(String name, Json value) {
        return new SepApiRequest(sepOperation, arguments.with(name, value));
    }

    /** Returns a copy with this text argument, or this request if the text is null. */
    SepApiRequest with(String name, @Nullable String value) {
        return value == null ? this : with(name, Json.ofText(value));
    }

    SepApiRequest with(String name, long value) {
        return with(name, Json.of(value));
    }

    /** Returns a copy with this number argument, or this request if the number is null. */
    SepApiRequest with(String name, @Nullable Integer value) {
        return value == null ? this : with(name, value.longValue());
    }

    SepApiRequest with(String name, boolean value) {
        return with(name, Json.of(value));
    }

    /** Returns a copy with texts by kind: a single text as a string, several as an array. */
    SepApiRequest with(String name, Map<String, List<String>> texts) {
        return texts.isEmpty()
                ? this
                : with(name, Json.write(json -> {
                    json.writeStartObject();
                    texts.forEach((kind, values) -> {
                        if (values.size() == 1) {
                            json.writeStringProperty(kind, values.getFirst());
                        } else {
                            json.writeArrayPropertyStart(kind);
                            values.forEach(json::writeString);
                            json.writeEndArray();
                        }
                    });
                    json.writeEndObject();
                }));
    }

    /** Sends the request and returns the server's response. */
    Json send(RemoteGateway gateway) throws RemoteGatewayException, InterruptedException {
        SepApiRoute endpoint = SepApiRoute.forOperation(sepOperation);
        Map<String, Json> remainingArguments = new LinkedHashMap<>(arguments.members());
        if (endpoint.hasNumber()) {
            remainingArguments.remove(SepApiRoute.NUMBER);
        }
        if (endpoint.usesQuery()) {
            Map<String, String> query = new LinkedHashMap<>();
            remainingArguments.forEach((name, value) -> query.put(name, value.text()));
            return gateway.requestSep(endpoint.method(), endpoint.pathFor(arguments), query, Optional.empty());
        }
        Json body = Json.write(json -> {
            json.writeStartObject();
            remainingArguments.forEach((name, value) -> {
                json.writeName(name);
                json.writeRawValue(value.raw());
            });
            json.writeEndObject();
        });
        return gateway.requestSep(endpoint.method(), endpoint.pathFor(arguments), Map.of(), Optional.of(body));
    }
}
