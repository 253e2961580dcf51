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

    @Override
    public String version() {
        return VERSION;
    }

    @Override
    public boolean stateless() {
        return true;
    }

    @Override
    public Optional<String> params(Optional<String> params, boolean own) {
        String raw = Meta.passedOn(params.orElse(NOTHING), own);
        String meta = RawJson.at(raw, Meta.META)
                .filter(given -> given.startsWith("{"))
                .orElse(NOTHING);
        if (RawJson.at(meta, Meta.CAPABILITIES).isEmpty()) {
            meta = RawJson.with(meta, NOTHING, Meta.CAPABILITIES);
        }
        meta = RawJson.with(meta, client.json(), Meta.CLIENT);
        meta = RawJson.with(meta, Json.ofText(VERSION).raw(), Meta.VERSION);
        return Optional.of(RawJson.with(raw, meta, Meta.META));
    }
}
