package dev.gavel.mcp.facade.dispatch;

import dev.gavel.gateway.tool.OfferedToolsHint;
import dev.gavel.mcp.catalog.McpListType;
import dev.gavel.mcp.facade.call.CallSubmitter;
import dev.gavel.mcp.facade.call.CallTarget;
import dev.gavel.mcp.facade.call.ClientMessageFactory;
import dev.gavel.mcp.facade.call.FacadeCaller;
import dev.gavel.mcp.facade.call.InFlightClientRequest;
import dev.gavel.mcp.facade.call.TopicCalls;
import dev.gavel.mcp.rpc.RawJsonEditor;
import dev.gavel.mcp.rpc.RpcErrorCode;
import dev.gavel.mcp.rpc.RpcMessage;
import dev.gavel.mcp.rpc.ToolParamHeaderMapping;
import dev.gavel.mcpx.InputExcerptFormatter;
import dev.gavel.mcpx.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Dispatches the MCP methods that all protocol versions share: lists, tool calls, prompts, resource reads and
 * completions. Confined to the topic's loop.
 */
public final class McpRequestDispatcher {
    /**
     * Limit on the parameters of requests that the facade itself parses. It does not apply to calls, which it only
     * forwards.
     */
    private static final int MAX_PARAMS_LENGTH = 256 * 1024;

    private static final int MAX_URI_LENGTH = 2_048;

    private final TopicCalls calls;
    private final CallSubmitter callSubmitter;
    private final GavelTools gavelTools;
    private final ResourceSubscriberCounter subscriberCounter = new ResourceSubscriberCounter();

    public McpRequestDispatcher(TopicCalls topicCalls) {
        this.calls = topicCalls;
        this.callSubmitter = new CallSubmitter(topicCalls);
        this.gavelTools = new GavelTools(topicCalls);
    }

    /** Returns the topic's calls. */
    public TopicCalls calls() {
        return calls;
    }

    ResourceSubscriberCounter subscriberCounter() {
        return subscriberCounter;
    }

    /** Continues the response to a proposed call at this process. */
    public void continueCall(FacadeCaller caller, String proposal, InFlightClientRequest clientRequest) {
        callSubmitter.continueCall(caller, proposal, clientRequest);
    }

    CallSubmitter callSubmitter() {
        return callSubmitter;
    }

    /**
     * Responds to a request, or starts a call that does.
     *
     * @param paramHeaders the values of the parameter headers by header name; null if the protocol has no such headers
     * @return whether the method exists
     */
    public boolean dispatch(
            FacadeCaller caller,
            String method,
            String params,
            @Nullable Map<String, String> paramHeaders,
            InFlightClientRequest clientRequest) {
        switch (method) {
            case "tools/call" -> callTool(caller, params, paramHeaders, clientRequest);
            case "prompts/get" ->
                withNamedTarget(caller, McpListType.PROMPTS, "prompt", params, clientRequest, target -> {
                    callSubmitter.submit(caller, target, params, clientRequest);
                });
            case "resources/read" ->
                withResource(
                        caller,
                        method,
                        params,
                        clientRequest,
                        target -> callSubmitter.submit(caller, target, params, clientRequest));
            case "tools/list" ->
                respondList(caller, clientRequest, params, "tools", callerCatalog -> {
                    List<Json> tools = new ArrayList<>(callerCatalog.entries(McpListType.TOOLS, "tools/call"));
                    tools.addAll(gavelTools.list(caller));
                    return tools;
                });
            case "prompts/list" ->
                respondList(
                        caller,
                        clientRequest,
                        params,
                        "prompts",
                        callerCatalog -> callerCatalog.entries(McpListType.PROMPTS, "prompts/get"));
            case "resources/list" -> respondList(caller, clientRequest, params, "resources", CallerCatalog::resources);
            case "resources/templates/list" ->
                respondList(caller, clientRequest, params, "resourceTemplates", CallerCatalog::resourceTemplates);
            case "completion/complete" ->
                parseParams(params, method, clientRequest)
                        .ifPresent(json -> completeArgument(caller, json, clientRequest));
            default -> {
                return false;
            }
        }
        return true;
    }

    /**
     * Parses the parameters of a request that the facade itself handles. If they are too long, sends an error and
     * returns empty.
     */
    public static Optional<Json> parseParams(String params, String method, InFlightClientRequest clientRequest) {
        if (params.length() > MAX_PARAMS_LENGTH) {
            respondError(
                    clientRequest,
                    RpcErrorCode.INVALID_PARAMS,
                    "'params' of " + InputExcerptFormatter.quote(method) + " is too long. The limit is "
                            + MAX_PARAMS_LENGTH + " characters.");
            return Optional.empty();
        }
        return Optional.of(Json.parse(params).orElseGet(Json::object));
    }

    /** Sends an error response. */
    public static void respondError(InFlightClientRequest clientRequest, RpcErrorCode error, String reason) {
        clientRequest.respond(error.toResponse(clientRequest.id(), reason));
    }

    private void respondList(
            FacadeCaller caller,
            InFlightClientRequest clientRequest,
            String params,
            String field,
            Function<CallerCatalog, List<Json>> entries) {
        if (RawJsonEditor.at(params, "cursor").isPresent()) {
            respondError(
                    clientRequest,
                    RpcErrorCode.INVALID_PARAMS,
                    "Invalid cursor: each list has only one page. Send the request without 'cursor'.");
            return;
        }
        after(
                calls.catalogRegistry().whenListable(calls.topic()),
                clientRequest,
                () -> clientRequest.respond(ClientMessageFactory.result(clientRequest.id(), json -> {
                    json.writeArrayPropertyStart(field);
                    entries.apply(callerCatalog(caller)).forEach(entry -> json.writeRawValue(entry.raw()));
                    json.writeEndArray();
                })));
    }

    /**
     * Runs an action when the queried participants have listed what they offer, or when they took too long. Does nothing
     * if the request is closed by then.
     */
    private void afterListsLoaded(InFlightClientRequest clientRequest, Runnable onFound) {
        after(calls.catalogRegistry().whenLoaded(calls.topic()), clientRequest, onFound);
    }

    private void after(CompletionStage<Void> loaded, InFlightClientRequest clientRequest, Runnable onFound) {
        calls.respondOnLoop(
                loaded,
                clientRequest,
                done -> {
                    if (!clientRequest.response().isClosed()) {
                        onFound.run();
                    }
                },
                failure -> calls.respondInternalError(clientRequest, failure));
    }

    private CallerCatalog callerCatalog(FacadeCaller caller) {
        return new CallerCatalog(calls.catalogRegistry().offers(calls.topic()), caller, GavelTools.TOOL_NAMES);
    }

    private static Optional<String> textParam(String params, String name) {
        return RawJsonEditor.at(params, name).flatMap(Json::parse).flatMap(Json::asText);
    }

    private void callTool(
            FacadeCaller caller,
            String params,
            @Nullable Map<String, String> paramHeaders,
            InFlightClientRequest clientRequest) {
        Optional<String> name = textParam(params, "name");
        if (name.isPresent() && gavelTools.isOffered(caller, name.get())) {
            callGavelTool(caller, name.get(), params, clientRequest);
            return;
        }
        withNamedTarget(caller, McpListType.TOOLS, "tool", params, clientRequest, target -> {
            Optional<String> mismatch = paramHeaders == null
                    ? Optional.empty()
                    : toolParamHeaders(target).flatMap(headers -> headers.findMismatch(params, paramHeaders));
            mismatch.ifPresentOrElse(
                    reason -> respondError(
                            clientRequest, RpcErrorCode.HEADER_MISMATCH, "Header mismatch: " + reason + "."),
                    () -> callSubmitter.submit(caller, target, params, clientRequest));
        });
    }

    private Optional<ToolParamHeaderMapping> toolParamHeaders(CallTarget target) {
        return calls.catalogRegistry()
                .offers(calls.topic())
                .findParticipant(target.participant())
                .map(participantCatalog ->
                        participantCatalog.list(McpListType.TOOLS).get(String.valueOf(target.name())))
                .map(tool -> ToolParamHeaderMapping.of(tool.at("inputSchema")));
    }

    private void callGavelTool(FacadeCaller caller, String name, String params, InFlightClientRequest clientRequest) {
        parseParams(params, name, clientRequest)
                .ifPresent(json -> calls.whenCompleteOnLoop(
                        gavelTools.call(caller, name, json.at("arguments")),
                        result ->
                                clientRequest.respond(new RpcMessage.ResultResponse(clientRequest.id(), result.raw())),
                        failure -> {
                            calls.log("A tool of the gateway failed.", failure);
                            respondError(
                                    clientRequest,
                                    RpcErrorCode.INTERNAL,
                                    "The tool failed. The ledger might be unavailable. Try again later.");
                        }));
    }

    private void withNamedTarget(
            FacadeCaller caller,
            McpListType listType,
            String noun,
            String params,
            InFlightClientRequest clientRequest,
            Consumer<CallTarget> onFound) {
        Optional<String> name = textParam(params, "name");
        if (name.isEmpty()) {
            respondError(
                    clientRequest,
                    RpcErrorCode.INVALID_PARAMS,
                    "'name' is missing. Pass the name of the " + noun + ".");
            return;
        }
        String method = listType == McpListType.TOOLS ? "tools/call" : "prompts/get";
        Runnable onUnknown = () -> respondError(
                clientRequest,
                RpcErrorCode.INVALID_PARAMS,
                "Unknown " + noun + ": " + InputExcerptFormatter.quote(name.get())
                        + ". No connected participant offers it."
                        + (listType == McpListType.TOOLS
                                ? " " + OfferedToolsHint.describe(name.get(), offeredTools(caller))
                                : ""));
        findOrRetry(
                clientRequest,
                () -> callerCatalog(caller).entries(listType, method, name.get()),
                onFound,
                () -> callSubmitter.resumeUnlisted(caller, method, params, clientRequest, onUnknown));
    }

    private List<String> offeredTools(FacadeCaller caller) {
        return Stream.concat(
                        callerCatalog(caller).entries(McpListType.TOOLS, "tools/call").stream(),
                        gavelTools.list(caller).stream())
                .map(tool -> tool.at("name").text())
                .toList();
    }

    /** Finds the participant that has the resource named by a request. */
    void withResource(
            FacadeCaller caller,
            String method,
            String params,
            InFlightClientRequest clientRequest,
            Consumer<CallTarget> onFound) {
        Optional<String> uri = textParam(params, "uri").filter(each -> each.length() <= MAX_URI_LENGTH);
        if (uri.isEmpty()) {
            respondError(
                    clientRequest,
                    RpcErrorCode.INVALID_PARAMS,
                    "'uri' is missing or longer than " + MAX_URI_LENGTH + " characters. Pass the URI of the resource.");
            return;
        }
        Runnable onUnknown = () -> clientRequest.respond(RpcErrorCode.RESOURCE_NOT_FOUND.toResponse(
                clientRequest.id(),
                "Resource not found: no connected participant offers it.",
                ClientMessageFactory.jsonObject(json -> json.writeStringProperty("uri", uri.get()))));
        findOrRetry(
                clientRequest,
                () -> callerCatalog(caller).findResource(method, uri.get()),
                onFound,
                () -> callSubmitter.resumeUnlisted(caller, method, params, clientRequest, onUnknown));
    }

    /** Looks up a target. If it is not found, tries once more when the queried participants have responded. */
    private void findOrRetry(
            InFlightClientRequest clientRequest,
            Supplier<Optional<CallTarget>> lookup,
            Consumer<CallTarget> onFound,
            Runnable onNotFound) {
        Optional<CallTarget> found = lookup.get();
        if (found.isPresent()) {
            onFound.accept(found.get());
        } else {
            afterListsLoaded(clientRequest, () -> lookup.get().ifPresentOrElse(onFound, onNotFound));
        }
    }

    /**
     * Completes an argument. A caller that may only propose gets an error, because the server would be queried without
     * a review.
     */
    private void completeArgument(FacadeCaller caller, Json params, InFlightClientRequest clientRequest) {
        Json reference = params.at("ref");
        boolean prompt = reference.at("type").text().equals("ref/prompt");
        CallerCatalog callerCatalog = callerCatalog(caller);
        Optional<CallTarget> found = prompt
                ? callerCatalog.entries(
                        McpListType.PROMPTS, "prompts/get", reference.at("name").text())
                : callerCatalog.findResource(
                        "resources/read", reference.at("uri").text());
        if (found.isEmpty()) {
            respondError(
                    clientRequest,
                    RpcErrorCode.INVALID_PARAMS,
                    "No connected participant offers the prompt or resource in 'ref'.");
            return;
        }
        CallTarget referenced = found.get();
        CallTarget target = new CallTarget(referenced.participant(), "completion/complete", null);
        Json forwardedParams = prompt
                ? params.with("ref", reference.with("name", Json.ofText(String.valueOf(referenced.name()))))
                : params;
        if (caller.maySend(referenced, reference.raw()) || caller.maySend(target, forwardedParams.raw())) {
            callSubmitter.sendAuxiliary(caller, target, forwardedParams.raw(), clientRequest);
        } else {
            respondError(
                    clientRequest,
                    RpcErrorCode.FORBIDDEN,
                    CallSubmitter.missingCapabilityMessage(caller, referenced.requestKind()));
        }
    }
}
