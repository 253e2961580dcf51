package dev.gavel.mcp.facade;

import dev.gavel.mcpx.json.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The proposed calls whose callers were told that they are pending: calling again with the same arguments takes one up.
 * Confined to the topic's loop.
 */
final class Parked {
    /** Those parked first are forgotten first; their proposals stay, and calling again makes another. */
    private static final int MOST = 20_000;

    private static final Set<String> ASIDE = Set.of("_meta", "name", "uri");

    private final Map<Key, Call> calls = new LinkedHashMap<>();

    /**
     * What makes two calls the same.
     *
     * @param params all of them, but for {@code _meta} and what the target says already
     */
    record Key(String caller, Target target, Json params) {
        static Key of(String caller, Target target, Json params) {
            return new Key(caller, target, Json.write(json -> {
                json.writeStartObject();
                params.members().forEach((name, value) -> {
                    if (!ASIDE.contains(name)) {
                        json.writeName(name);
                        json.writeRawValue(value.raw());
                    }
                });
                json.writeEndObject();
            }));
        }
    }

    void park(Call call) {
        calls.putIfAbsent(call.key(), call);
        if (calls.size() > MOST) {
            calls.remove(calls.keySet().iterator().next());
        }
    }

    /** Takes up the one that is the same as this. */
    Optional<Call> take(Key key) {
        return Optional.ofNullable(calls.remove(key));
    }

    boolean holds(Call call) {
        return calls.get(call.key()) == call;
    }

    void forget(Call call) {
        calls.remove(call.key(), call);
    }
}
