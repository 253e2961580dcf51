package dev.gavel.mcp.rpc;

/** The result of parsing text as a JSON-RPC message: the message, or why the text is malformed. */
public sealed interface RpcParseResult permits RpcMessage, MalformedRpcMessage {}
