package dev.gavel.mcp.rpc;

import dev.gavel.mcpx.json.Json;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Defines the names of Gavel's own fields in {@code _meta} and in an error's {@code data}, and removes fields with such
 * names from the JSON of participants, so that a client can trust them. Stateless.
 */
public final class GavelMetaFields {
    /** The prefix of all names that are reserved for Gavel. */
    public static final String PREFIX = "dev.gavel/";

    /** Whether at least some calls of a tool need approval. */
    public static final String NEEDS_APPROVAL = PREFIX + "needsApproval";

    /** How a reviewer edited a call. */
    public static final String DECISION = PREFIX + "decision";

    /** The {@code data} of a server's error, if it is not an object to which fields can be added. */
    public static final String DATA = PREFIX + "data";

    /** The id of a call's proposal. */
    public static final String PROPOSAL = PREFIX + "proposal";

    /** The state of a call's proposal. */
    public static final String STATE = PREFIX + "state";

    /** Whether a call joined an earlier equal call, so that it did not run again. */
    public static final String JOINED = PREFIX + "joined";

    /** In a request: calls with different ids are different calls, even if they are equal otherwise. */
    public static final String CALL_ID = PREFIX + "callId";

    /** The code of the error for which the gateway refused a call. */
    public static final String ERROR = PREFIX + "error";

    /** When a caller may repeat a refused call. */
    public static final String RETRY_AFTER = PREFIX + "retryAfterMs";

    private GavelMetaFields() {}

    /** Whether one member of a JSON object has reserved fields. */
    public static boolean areIn(Json object, String member) {
        return object.at(member).members().keySet().stream().anyMatch(name -> name.startsWith(PREFIX));
    }

    /**
     * Removes the reserved fields from one member of a participant's JSON object. Returns the same instance if there are
     * none, so that its text stays as the participant sent it.
     *
     * @param member {@code _meta} of a result or list entry, or {@code data} of an error
     */
    public static Json removeFrom(Json object, String member) {
        if (!areIn(object, member)) {
            return object;
        }
        Map<String, Json> remaining = new LinkedHashMap<>(object.at(member).members());
        remaining.keySet().removeIf(name -> name.startsWith(PREFIX));
        return object.with(member, Json.object(remaining));
    }
}
