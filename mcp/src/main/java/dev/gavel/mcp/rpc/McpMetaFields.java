package dev.gavel.mcp.rpc;

import dev.gavel.mcpx.json.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Names the MCP fields in {@code _meta} and removes those that must not be forwarded with a request. Stateless. */
public final class McpMetaFields {
    /** Where it stands, in parameters and results. */
    public static final String META = "_meta";

    /** What all names begin with that the protocol keeps for itself. */
    public static final String PREFIX = "io.modelcontextprotocol/";

    /** The version a request is of. */
    public static final String VERSION = PREFIX + "protocolVersion";

    /** Who sends a request. */
    public static final String CLIENT = PREFIX + "clientInfo";

    /** What the sender of a request could be asked for. */
    public static final String CAPABILITIES = PREFIX + "clientCapabilities";

    /** From which severity on the sender of a request wants a server's log messages. */
    public static final String LOG_LEVEL = PREFIX + "logLevel";

    /** The request that a notification belongs to. */
    public static final String SUBSCRIPTION = PREFIX + "subscriptionId";

    /** Who made a result. */
    public static final String SERVER = PREFIX + "serverInfo";

    /** The Tasks extension, as both sides declare it. */
    public static final String TASKS = PREFIX + "tasks";

    private static final String EXTENSIONS = "extensions";

    private McpMetaFields() {}

    /**
     * The same parameters, without what the protocol keeps for itself in their metadata: that is between the sender of a request
     * and whom it was sent to.
     *
     * @param declared whether what the sender could be asked for and wants to hear is left, for it would be asked in turn, and told
     */
    public static String forwardableParams(String params, boolean declared) {
        // Most say nothing of the kind; but a name may be written with escapes.
        if (!params.contains(PREFIX) && params.indexOf('\\') < 0) {
            return params;
        }
        Optional<String> meta = RawJsonEditor.at(params, META);
        if (meta.isEmpty()) {
            return params;
        }
        Map<String, Json> said = Json.parse(meta.get()).orElseGet(Json::object).members();
        if (!said.isEmpty() && said.keySet().stream().noneMatch(name -> name.startsWith(PREFIX))) {
            return params;
        }
        Map<String, String> left = new LinkedHashMap<>();
        said.forEach((name, value) -> {
            if (declared && name.equals(CAPABILITIES) && value.type() == Json.Type.OBJECT) {
                left.put(name, withoutTasks(value.raw()));
            } else if (!name.startsWith(PREFIX) || (declared && name.equals(LOG_LEVEL))) {
                left.put(name, value.raw());
            }
        });
        return left.isEmpty() ? RawJsonEditor.without(params, META) : RawJsonEditor.with(params, object(left), META);
    }

    /** A task that a server made would be known to its bridge alone, and to nobody in front of it. */
    private static String withoutTasks(String capabilities) {
        return RawJsonEditor.at(capabilities, EXTENSIONS)
                .map(extensions -> RawJsonEditor.without(extensions, TASKS))
                .flatMap(extensions -> RawJsonEditor.replace(capabilities, extensions, EXTENSIONS))
                .orElse(capabilities);
    }

    private static String object(Map<String, String> members) {
        return Json.write(json -> {
                    json.writeStartObject();
                    members.forEach((name, value) -> {
                        json.writeName(name);
                        json.writeRawValue(value);
                    });
                    json.writeEndObject();
                })
                .raw();
    }
}
