package dev.gavel.mcp.rpc;

import dev.gavel.mcpx.json.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Defines the names of MCP's {@code _meta} fields and removes the fields that must not be forwarded with a request.
 * Stateless.
 */
public final class McpMetaFields {
    /** The field of parameters and results that holds the metadata. */
    public static final String META = "_meta";

    /** The prefix of all names that are reserved for the protocol. */
    public static final String PREFIX = "io.modelcontextprotocol/";

    /** The protocol version of a request. */
    public static final String VERSION = PREFIX + "protocolVersion";

    /** The client that sends a request. */
    public static final String CLIENT = PREFIX + "clientInfo";

    /** The capabilities of the client that sends a request. */
    public static final String CAPABILITIES = PREFIX + "clientCapabilities";

    /** The lowest severity of log messages that the client requests. */
    public static final String LOG_LEVEL = PREFIX + "logLevel";

    /** The request that a notification belongs to. */
    public static final String SUBSCRIPTION = PREFIX + "subscriptionId";

    /** The server that created a result. */
    public static final String SERVER = PREFIX + "serverInfo";

    /** The Tasks extension, as client and server declare it. */
    public static final String TASKS = PREFIX + "tasks";

    private static final String EXTENSIONS = "extensions";

    private McpMetaFields() {}

    /**
     * Returns the parameters without the protocol's reserved metadata, which concern only the sender of a request and
     * its direct receiver.
     *
     * @param keepDeclarations whether to keep the sender's capabilities and log level, because the final server uses them for
     *     requests and log messages to the sender
     */
    public static String forwardableParams(String params, boolean keepDeclarations) {
        // Most parameters have no reserved names. A backslash may hide one, because names can be written with escapes.
        if (!params.contains(PREFIX) && params.indexOf('\\') < 0) {
            return params;
        }
        Optional<String> meta = RawJsonEditor.at(params, META);
        if (meta.isEmpty()) {
            return params;
        }
        Map<String, Json> metaFields =
                Json.parse(meta.get()).orElseGet(Json::object).members();
        if (!metaFields.isEmpty() && metaFields.keySet().stream().noneMatch(name -> name.startsWith(PREFIX))) {
            return params;
        }
        Map<String, String> remaining = new LinkedHashMap<>();
        metaFields.forEach((name, value) -> {
            if (keepDeclarations && name.equals(CAPABILITIES) && value.type() == Json.Type.OBJECT) {
                remaining.put(name, withoutTasks(value.raw()));
            } else if (!name.startsWith(PREFIX) || (keepDeclarations && name.equals(LOG_LEVEL))) {
                remaining.put(name, value.raw());
            }
        });
        return remaining.isEmpty()
                ? RawJsonEditor.without(params, META)
                : RawJsonEditor.with(params, object(remaining), META);
    }

    /**
     * Removes the Tasks extension: only the bridge would know a task that the server creates, and no client could reach
     * it.
     */
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
