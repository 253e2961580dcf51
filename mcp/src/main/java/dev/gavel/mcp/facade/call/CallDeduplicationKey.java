package dev.gavel.mcp.facade.call;

import dev.gavel.gateway.proposal.CallParams;
import dev.gavel.mcp.rpc.GavelMetaFields;
import dev.gavel.mcp.rpc.McpMetaFields;
import dev.gavel.mcp.rpc.RawJsonEditor;
import dev.gavel.mcpx.text.Sha256;
import java.util.List;

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
        String counted = params.length() > MAX_CANONICAL_LENGTH
                ? withoutIgnored(params)
                : CallParams.canonical(params).orElse(params);
        return new CallDeduplicationKey(caller, target, Sha256.hex(counted));
    }

    private static String withoutIgnored(String params) {
        String counted = params;
        for (String ignored : IGNORED_PARAMS) {
            counted = RawJsonEditor.without(counted, ignored);
        }
        return counted + "\n"
                + RawJsonEditor.at(params, McpMetaFields.META, GavelMetaFields.CALL_ID)
                        .orElse("");
    }
}
