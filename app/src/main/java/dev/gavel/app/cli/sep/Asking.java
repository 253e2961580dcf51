package dev.gavel.app.cli.sep;

import dev.gavel.app.sepdesk.Route;
import dev.gavel.client.http.RemoteException;
import dev.gavel.client.http.RemoteGateway;
import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.desk.Verb;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Something asked of the desk, and how: by the path and method that the server has for it. Immutable. */
final class Asking {
    private final Verb verb;
    private final Json arguments;

    private Asking(Verb verb, Json arguments) {
        this.verb = verb;
        this.arguments = arguments;
    }

    static Asking of(Verb verb) {
        return new Asking(verb, Json.object());
    }

    Asking with(String name, Json value) {
        return new Asking(verb, arguments.with(name, value));
    }

    /** With a text, where there is one. */
    Asking with(String name, @Nullable String value) {
        return value == null ? this : with(name, Json.ofText(value));
    }

    Asking with(String name, long value) {
        return with(name, Json.of(value));
    }

    /** With a number, where there is one. */
    Asking with(String name, @Nullable Integer value) {
        return value == null ? this : with(name, value.longValue());
    }

    Asking with(String name, boolean value) {
        return with(name, Json.of(value));
    }

    /** With texts by their kinds: one as it is, several as a list. */
    Asking with(String name, Map<String, List<String>> texts) {
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

    /** Asks, and gives the answer. */
    Json ask(RemoteGateway gateway) throws RemoteException, InterruptedException {
        Route route = Route.to(verb);
        Map<String, Json> others = new LinkedHashMap<>(arguments.members());
        if (route.numbered()) {
            others.remove(Route.NUMBER);
        }
        if (route.queried()) {
            Map<String, String> query = new LinkedHashMap<>();
            others.forEach((name, value) -> query.put(name, value.text()));
            return gateway.desk(route.method(), route.at(arguments), query, Optional.empty());
        }
        Json body = Json.write(json -> {
            json.writeStartObject();
            others.forEach((name, value) -> {
                json.writeName(name);
                json.writeRawValue(value.raw());
            });
            json.writeEndObject();
        });
        return gateway.desk(route.method(), route.at(arguments), Map.of(), Optional.of(body));
    }
}
