package dev.gavel.mcp.facade.call;

import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.Sha256;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Identifies equal calls by caller, target and a hash of the parameters, so that repeating a call creates no second
 * proposal. Immutable.
 *
 * @param paramsHash a hash of the parameters, since calls may be pending for long and be large
 */
record CallDeduplicationKey(String caller, CallTarget target, String paramsHash) {
    /** Parameters that the target already contains or that do not count. */
    private static final Set<String> IGNORED_PARAMS = Set.of("_meta", "name", "uri");

    /** Longer parameters are equal only if their texts are equal. */
    private static final int MAX_CANONICAL_LENGTH = 64 * 1024;

    /** Returns a key without a hash of the parameters, for a call that cannot resume an earlier one. */
    static CallDeduplicationKey withoutParams(String caller, CallTarget target) {
        return new CallDeduplicationKey(caller, target, "");
    }

    static CallDeduplicationKey of(String caller, CallTarget target, String params) {
        Optional<Json> parsed = params.length() > MAX_CANONICAL_LENGTH ? Optional.empty() : Json.parse(params);
        StringBuilder canonical = new StringBuilder();
        parsed.ifPresentOrElse(json -> write(json, canonical, true), () -> canonical.append(params));
        return new CallDeduplicationKey(caller, target, Sha256.hex(canonical.toString()));
    }

    private static void write(Json value, StringBuilder out, boolean topLevel) {
        switch (value.type()) {
            case OBJECT -> {
                out.append('{');
                new TreeMap<>(value.members()).forEach((name, member) -> {
                    if (!topLevel || !IGNORED_PARAMS.contains(name)) {
                        out.append(Json.ofText(name).raw()).append(':');
                        write(member, out, false);
                        out.append(',');
                    }
                });
                out.append('}');
            }
            case ARRAY -> {
                out.append('[');
                value.elements().forEach(element -> {
                    write(element, out, false);
                    out.append(',');
                });
                out.append(']');
            }
            case TEXT -> out.append(Json.ofText(value.text()).raw());
            default -> out.append(value.raw());
        }
    }
}
