package dev.gavel.mcp.facade.call;

import dev.gavel.mcp.rpc.GavelMetaFields;
import dev.gavel.mcp.rpc.McpMetaFields;
import dev.gavel.mcp.rpc.RawJsonEditor;
import dev.gavel.mcpx.json.CanonicalJsonWriter;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.Sha256;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Identifies equal calls by caller, target and a hash of the parameters, so that repeating a call creates no second
 * proposal. Immutable.
 *
 * @param paramsHash a hash of the parameters, since calls may be pending for long and be large. {@code _meta} does not
 *     count, except for the id by which a client tells equal calls apart
 */
record CallDeduplicationKey(String caller, CallTarget target, String paramsHash) {
    /** Parameters that the target already contains or that do not count. */
    private static final List<String> IGNORED_PARAMS = List.of(McpMetaFields.META, "name", "uri");

    /** Longer parameters are equal only if their texts are equal. */
    private static final int MAX_CANONICAL_LENGTH = 64 * 1024;

    /** Returns a key without a hash of the parameters, for a call that cannot join an earlier one. */
    static CallDeduplicationKey withoutParams(String caller, CallTarget target) {
        return new CallDeduplicationKey(caller, target, "");
    }

    static CallDeduplicationKey of(String caller, CallTarget target, String params) {
        String callId = RawJsonEditor.at(params, McpMetaFields.META, GavelMetaFields.CALL_ID)
                .orElse("");
        return new CallDeduplicationKey(caller, target, Sha256.hex(canonical(params) + "\n" + callId));
    }

    /** Numbers stay as sent: two numbers that differ only in their last digits are different arguments. */
    private static String canonical(String params) {
        if (params.length() > MAX_CANONICAL_LENGTH) {
            String counted = params;
            for (String ignored : IGNORED_PARAMS) {
                counted = RawJsonEditor.without(counted, ignored);
            }
            return counted;
        }
        return Json.parse(params)
                .map(json -> {
                    Map<String, Json> members = new LinkedHashMap<>(json.members());
                    IGNORED_PARAMS.forEach(members::remove);
                    return CanonicalJsonWriter.writeWithNumbersAsSent(members);
                })
                .orElse(params);
    }
}
