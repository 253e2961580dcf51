package dev.gavel.mcp.rpc;

/** What became of a text that was to be a JSON-RPC message. */
public sealed interface RpcParseResult permits RpcMessage, MalformedRpcMessage {}
