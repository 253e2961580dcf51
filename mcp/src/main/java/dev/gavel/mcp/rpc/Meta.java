package dev.gavel.mcp.rpc;

/** The names under which MCP 2026-07-28 says in {@code _meta} what older versions agreed on once. Stateless. */
public final class Meta {
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

    private Meta() {}
}
