package dev.gavel.gateway.tool;

/** Whether the gateway's copy of a participant's list of tools can be relied on. */
public enum ToolListState {
    /** The participant has not reported a change since it listed its tools. */
    CURRENT,
    /** The participant has just reported a change, and the gateway is fetching the list again. */
    REFETCHING,
    /** The participant reported a change and did not list its tools in time, so its definitions are unknown. */
    OVERDUE
}
