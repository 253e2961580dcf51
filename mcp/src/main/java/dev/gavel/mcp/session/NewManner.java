package dev.gavel.mcp.session;

import dev.gavel.mcp.rpc.Meta;
import dev.gavel.mcp.rpc.RawJson;
import dev.gavel.mcpx.json.Json;
import java.util.Optional;

/**
 * 2026-07-28: nothing is agreed on; every request says which version it is of, who sends it, and what that one could be asked
 * for. Immutable.
 */
record NewManner(Session.ClientInfo client, Json introduction) implements Manner {
    static final String VERSION = "2026-07-28";
    static final String DISCOVER = "server/discover";

    private static final String NOTHING = "{}";
    private static final String EXTENSIONS = "extensions";

    @Override
    public String version() {
        return VERSION;
    }

    @Override
    public boolean stateless() {
        return true;
    }

    @Override
    public Optional<String> params(Optional<String> params, boolean answerable) {
        String raw = params.orElse(NOTHING);
        String given = RawJson.at(raw, Meta.META).filter(NewManner::isObject).orElse(NOTHING);
        Optional<String> declared = Optional.of(given).filter(_ -> answerable);
        String meta = declared.flatMap(from -> RawJson.at(from, Meta.LOG_LEVEL))
                .map(level -> RawJson.with(Manner.stripped(given), level, Meta.LOG_LEVEL))
                .orElseGet(() -> Manner.stripped(given));
        String capabilities = declared.flatMap(from -> RawJson.at(from, Meta.CAPABILITIES))
                .filter(NewManner::isObject)
                .map(NewManner::withoutTasks)
                .orElse(NOTHING);
        meta = RawJson.with(meta, capabilities, Meta.CAPABILITIES);
        meta = RawJson.with(meta, client.json(), Meta.CLIENT);
        meta = RawJson.with(meta, Json.ofText(VERSION).raw(), Meta.VERSION);
        return Optional.of(RawJson.with(raw, meta, Meta.META));
    }

    /** A task that the server makes would be known to nobody in front of us. */
    private static String withoutTasks(String capabilities) {
        return RawJson.at(capabilities, EXTENSIONS)
                .map(extensions -> RawJson.without(extensions, Meta.TASKS))
                .flatMap(extensions -> RawJson.replaced(capabilities, extensions, EXTENSIONS))
                .orElse(capabilities);
    }

    private static boolean isObject(String json) {
        return json.startsWith("{");
    }
}
