package dev.gavel.mcp.facade.call;

import dev.gavel.gateway.member.Member;
import dev.gavel.gateway.proposal.ProposalView;
import dev.gavel.gateway.routing.SubmitResult;
import dev.gavel.gateway.tool.TopicTools;
import dev.gavel.gateway.topic.ProposalQueries;
import dev.gavel.gateway.topic.Topic;
import dev.gavel.mcp.rpc.RawJsonEditor;
import dev.gavel.mcp.rpc.RpcErrorCode;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.RawPayload;
import dev.gavel.mcpx.json.Json;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Sends an MCP call if the caller's capabilities allow it, proposes it if the caller may only propose, and otherwise
 * refuses it. It passes parameters on as raw JSON and never parses them as a whole. Confined to the topic's loop.
 */
public final class CallSubmitter {
    private static final int MAX_ACTIVE_CALLS = 50_000;

    /** How often a call is submitted again because an equal proposal was stored at the same moment. */
    private static final int MAX_JOIN_RETRIES = 3;

    private static final String TOO_MANY_CALLS = "Too many calls are in progress in this topic. Try again later.";

    private final TopicCalls topicCalls;
    private final PendingCallLoader pendingCallLoader;

    public CallSubmitter(TopicCalls topicCalls) {
        this.topicCalls = topicCalls;
        this.pendingCallLoader = new PendingCallLoader(topicCalls);
    }

    /** Sends or proposes a call under the caller's own capabilities. */
    public void submit(FacadeCaller caller, CallTarget target, String params, InFlightClientRequest clientRequest) {
        submit(caller, target, params, clientRequest, MAX_JOIN_RETRIES);
    }

    /**
     * Sends or proposes a call.
     *
     * @param remainingRetries how often it may be submitted again because an equal proposal was stored first
     */
    private void submit(
            FacadeCaller caller,
            CallTarget target,
            String params,
            InFlightClientRequest clientRequest,
            int remainingRetries) {
        Kind requestKind = target.requestKind();
        if (isAbandoned(caller, clientRequest)) {
            return;
        }
        if (!caller.mayCallOrPropose(requestKind)) {
            clientRequest.respond(RpcErrorCode.FORBIDDEN.toResponse(
                    clientRequest.id(), missingCapabilityMessage(caller, requestKind)));
            return;
        }
        String requestId = topicCalls.newEnvelopeId('q');
        RawPayload requestPayload = CallEnvelopeFactory.requestPayload(requestId, target, params, clientRequest);
        boolean mayCall = caller.member().capabilitySet().admits(requestKind, requestPayload);
        // A changed definition concerns only calls that need no approval: an approval is for one definition anyway.
        Topic.ChangedToolRule changedToolRule = mayCall ? changedToolRule(target) : Topic.ChangedToolRule.NONE;
        if (changedToolRule == Topic.ChangedToolRule.REFUSAL
                || (changedToolRule == Topic.ChangedToolRule.APPROVAL && !caller.hasLedger())) {
            clientRequest.respond(RpcErrorCode.FORBIDDEN.toResponse(
                    clientRequest.id(),
                    "definition_changed: the definition of " + target.displayName() + " on " + target.participant()
                            + " changed since it was last approved or first called, or is unknown now, so the call is"
                            + " refused. To allow it again, a reviewer must approve a proposal that calls this"
                            + " tool."));
            return;
        }
        boolean maySend = mayCall && changedToolRule == Topic.ChangedToolRule.NONE;
        boolean asTask = clientRequest.acceptsTask(target.method());
        String id = maySend ? requestId : asTask ? topicCalls.newTaskId() : topicCalls.newWaitingProposalId();
        RawPayload payload =
                maySend ? requestPayload : CallEnvelopeFactory.proposalPayload(id, target, params, clientRequest);
        if (!maySend
                && !(caller.hasLedger()
                        && (mayCall
                                || caller.member()
                                        .capabilitySet()
                                        .admits(requestKind.withOperation("proposal"), payload)))) {
            clientRequest.respond(RpcErrorCode.FORBIDDEN.toResponse(
                    clientRequest.id(), missingCapabilityMessage(caller, requestKind)));
        } else if (!maySend && CallEnvelopeFactory.hasInputResponses(params)) {
            clientRequest.respond(RpcErrorCode.INVALID_PARAMS.toResponse(
                    clientRequest.id(),
                    "This call needs approval and runs exactly as approved. Leave out 'inputResponses' and"
                            + " 'requestState'."));
        } else if (topicCalls.activeCount() >= MAX_ACTIVE_CALLS) {
            clientRequest.respond(RpcErrorCode.BUSY.toResponse(clientRequest.id(), TOO_MANY_CALLS));
        } else if (!caller.hasLedger()) {
            send(caller, CallDeduplicationKey.withoutParams(caller.id(), target), clientRequest, id, payload);
        } else {
            topicCalls.respondOnLoop(
                    maySend ? pendingCallLoader.loadOnce(caller) : pendingCallLoader.load(caller),
                    clientRequest,
                    done -> {
                        boolean hasEarlierCalls = topicCalls.joinableCalls().hasAny(caller.id())
                                || topicCalls.uncollectedResults().hasAny(caller.id());
                        CallDeduplicationKey key = maySend && !hasEarlierCalls
                                ? CallDeduplicationKey.withoutParams(caller.id(), target)
                                : CallDeduplicationKey.of(caller.id(), target, params);
                        CallDeduplicationKey earlierKey =
                                hasEarlierCalls ? findEarlier(key, params).orElse(key) : key;
                        joinOrElse(caller, earlierKey, clientRequest, maySend, () -> {
                            if (maySend) {
                                send(caller, key, clientRequest, id, payload);
                            } else if (asTask) {
                                proposeAsTask(caller, key, clientRequest, id, payload);
                            } else {
                                propose(
                                        caller,
                                        key,
                                        clientRequest,
                                        id,
                                        payload,
                                        (proposal, waiting) ->
                                                joinEqualProposal(proposal, target, params, waiting, remainingRetries));
                            }
                        });
                    },
                    failure -> respondWithoutLedger(clientRequest));
        }
    }

    /**
     * Lets requests join a proposal that was stored after they had looked for one. It may have ended by now, and another
     * client may have received its result; then they make a new call.
     */
    private void joinEqualProposal(
            String proposal,
            CallTarget target,
            String params,
            List<PendingCall.WaitingRequest> waiting,
            int remainingRetries) {
        topicCalls.makeJoinable(proposal);
        for (PendingCall.WaitingRequest request : waiting) {
            if (remainingRetries > 0) {
                submit(request.caller(), target, params, request.clientRequest(), remainingRetries - 1);
            } else {
                respondRepeatedTooOften(request.clientRequest());
            }
        }
    }

    private static void respondRepeatedTooOften(InFlightClientRequest clientRequest) {
        clientRequest.respond(RpcErrorCode.BUSY.toResponse(
                clientRequest.id(),
                "You are making the same call several times at the same moment. This one was not made. Call again to get"
                        + " the result."));
    }

    private static void respondWithoutLedger(InFlightClientRequest clientRequest) {
        clientRequest.respond(RpcErrorCode.UNAVAILABLE.toResponse(
                clientRequest.id(), "The ledger is unavailable, so the call was not made. Try again later."));
    }

    /**
     * Resumes the caller's earlier call of a tool, prompt or resource that no participant lists any more under the name
     * that the client uses.
     *
     * @param fallback run if there is no such call
     */
    public void resumeUnlisted(
            FacadeCaller caller, String method, String params, InFlightClientRequest clientRequest, Runnable fallback) {
        if (!caller.hasLedger()) {
            fallback.run();
            return;
        }
        CallTarget unlisted = new CallTarget("", method, null);
        topicCalls.respondOnLoop(
                pendingCallLoader.load(caller),
                clientRequest,
                done -> findEarlier(CallDeduplicationKey.of(caller.id(), unlisted, params), params)
                        .ifPresentOrElse(key -> joinOrElse(caller, key, clientRequest, false, fallback), fallback),
                failure -> respondWithoutLedger(clientRequest));
    }

    /**
     * Lets a client wait for the result of a proposal that it made with an earlier request, at this process or another
     * one, even if equal calls are separate.
     */
    public void continueCall(FacadeCaller caller, String proposal, InFlightClientRequest clientRequest) {
        Optional<ProposalQueries> proposalQueries =
                caller.hasLedger() ? topicCalls.proposalQueries() : Optional.empty();
        if (proposalQueries.isEmpty()) {
            respondNotStored(clientRequest);
            return;
        }
        topicCalls.respondOnLoop(
                proposalQueries.get().view(caller.member(), proposal),
                clientRequest,
                view -> view.filter(found -> found.proposer().equals(caller.id()))
                        .ifPresentOrElse(
                                found -> continueCall(caller, found, clientRequest),
                                () -> respondNotStored(clientRequest)),
                failure -> respondWithoutLedger(clientRequest));
    }

    private void continueCall(FacadeCaller caller, ProposalView view, InFlightClientRequest clientRequest) {
        if (isAbandoned(caller, clientRequest)) {
            return;
        }
        Optional<PendingCall> inProgress = pendingCallLoader.findOrRestore(caller, view);
        Optional<CallDeduplicationKey> key = PendingCallLoader.keyOf(caller, view);
        if (inProgress.isPresent() && inProgress.get().isWithdrawing()) {
            inProgress.get().whenWithdrawalSettled(() -> continueCall(caller, view.id(), clientRequest));
        } else if (inProgress.isPresent()) {
            inProgress.get().join(caller, clientRequest);
        } else if (key.isEmpty()) {
            respondNotStored(clientRequest);
        } else {
            boolean repeatable = topicCalls
                    .uncollectedResults()
                    .take(caller.id(), view.id(), topicCalls.now())
                    .isPresent();
            if (repeatable || WaitingProposalId.recordsDelivery(view.id())) {
                deliverUncollected(
                        caller,
                        key.get(),
                        clientRequest,
                        view.id(),
                        repeatable,
                        () -> respondDeliveredBefore(clientRequest));
            } else {
                respondDeliveredBefore(clientRequest);
            }
        }
    }

    private static void respondNotStored(InFlightClientRequest clientRequest) {
        clientRequest.respond(RpcErrorCode.UNAVAILABLE.toResponse(
                clientRequest.id(),
                "This call is no longer stored, so it is not known whether it ran. Check before you call it again."));
    }

    private static void respondDeliveredBefore(InFlightClientRequest clientRequest) {
        clientRequest.respond(RpcErrorCode.UNAVAILABLE.toResponse(
                clientRequest.id(),
                "The result of this call was delivered before. Use gavel_status to see whether the call ran, or call"
                        + " again if you still need it."));
    }

    /**
     * Finds the caller's earlier call that a call repeats: one of the same target, or else one that the client may have
     * made with the name that it sends now. In the meantime, the name can be listed no more, or by another participant.
     */
    private Optional<CallDeduplicationKey> findEarlier(CallDeduplicationKey key, String params) {
        if (topicCalls.joinableCalls().find(key).isPresent()
                || topicCalls.uncollectedResults().keysOf(key.caller()).anyMatch(key::equals)) {
            return Optional.of(key);
        }
        String sentName = RawJsonEditor.at(params, key.target().method().startsWith("resources/") ? "uri" : "name")
                .flatMap(Json::parse)
                .map(Json::text)
                .orElse("");
        List<String> members =
                topicCalls.topic().members().stream().map(Member::id).toList();
        return Stream.concat(
                        topicCalls.uncollectedResults().keysOf(key.caller()),
                        topicCalls.joinableCalls().keysOf(key.caller()))
                .filter(earlier -> earlier.paramsHash().equals(key.paramsHash())
                        && earlier.target().method().equals(key.target().method())
                        && earlier.target().mayBeNamed(sentName, members))
                .findFirst();
    }

    /** Whether a call that the caller may make needs approval nevertheless, because the tool's definition changed. */
    private Topic.ChangedToolRule changedToolRule(CallTarget target) {
        return TopicTools.toolOf(target.requestKind())
                .map(tool -> topicCalls.topic().changedToolRule(target.participant(), tool))
                .orElse(Topic.ChangedToolRule.NONE);
    }

    /** Sends a request that is never proposed, such as one for completions. */
    public void sendAuxiliary(
            FacadeCaller caller, CallTarget target, String params, InFlightClientRequest clientRequest) {
        if (topicCalls.activeCount() >= MAX_ACTIVE_CALLS) {
            clientRequest.respond(RpcErrorCode.BUSY.toResponse(clientRequest.id(), TOO_MANY_CALLS));
        } else if (!isAbandoned(caller, clientRequest)) {
            String id = topicCalls.newEnvelopeId('q');
            PendingCall call = new PendingCall(
                            topicCalls, caller, CallDeduplicationKey.withoutParams(caller.id(), target), id, false)
                    .addFirstWaiter(clientRequest);
            RawPayload payload = CallEnvelopeFactory.requestPayload(id, target, params, clientRequest);
            topicCalls.start(
                    call,
                    caller.withOnlyCapability("mcp.request." + target.method()),
                    CallEnvelopeFactory.encodeEnvelope(id, target.requestKind(), target, payload));
        }
    }

    /** Sends a request like {@link #sendAuxiliary}, for a caller that may have left already. Ignores the response. */
    public void forwardWithoutResponse(FacadeCaller caller, CallTarget target) {
        String id = topicCalls.newEnvelopeId('q');
        String params = "{\"uri\":" + Json.ofText(target.displayName()).raw() + "}";
        RawPayload payload = CallEnvelopeFactory.requestPayload(id, target, params, null);
        topicCalls.whenCompleteOnLoop(
                topicCalls.submitInternal(
                        caller.withOnlyCapability("mcp.request." + target.method()),
                        CallEnvelopeFactory.encodeEnvelope(id, target.requestKind(), target, payload)),
                submitResult -> {},
                failure -> topicCalls.log("A request could not be forwarded to a server.", failure));
    }

    /**
     * Whether no client waits for the request any more: it was cancelled, or the caller is no longer a member. Responds
     * in the second case.
     */
    private static boolean isAbandoned(FacadeCaller caller, InFlightClientRequest clientRequest) {
        if (caller.membership().isEnded() && !clientRequest.response().isClosed()) {
            clientRequest.respond(
                    RpcErrorCode.FORBIDDEN.toResponse(clientRequest.id(), "You are no longer a member of this topic."));
        }
        return clientRequest.response().isClosed();
    }

    /**
     * Joins an equal call that is in progress, or delivers its result if it has ended and the caller has not got it. If
     * the caller may now make the call directly, an undecided proposal is withdrawn and the call is made.
     *
     * @param fallback run if there is no such call
     */
    private void joinOrElse(
            FacadeCaller caller,
            CallDeduplicationKey key,
            InFlightClientRequest clientRequest,
            boolean maySend,
            Runnable fallback) {
        if (isAbandoned(caller, clientRequest)) {
            return;
        }
        Optional<String> endedProposal = topicCalls.uncollectedResults().removeOldest(key, topicCalls.now());
        Optional<PendingCall> pendingCall = topicCalls.joinableCalls().find(key);
        if (endedProposal.isPresent()) {
            deliverUncollected(
                    caller,
                    key,
                    clientRequest,
                    endedProposal.get(),
                    true,
                    () -> joinOrElse(caller, key, clientRequest, maySend, fallback));
        } else if (pendingCall.isEmpty()) {
            fallback.run();
        } else if (pendingCall.get().isWithdrawing()) {
            pendingCall.get().whenWithdrawalSettled(() -> joinOrElse(caller, key, clientRequest, maySend, fallback));
        } else if (maySend && pendingCall.get().isUndecided()) {
            pendingCall.get().withdraw("the proposer is now allowed to make this call without approval");
            fallback.run();
        } else if (clientRequest.acceptsTask(key.target().method())) {
            pendingCall.get().joinAsTask(clientRequest);
        } else {
            pendingCall.get().join(caller, clientRequest);
        }
    }

    /**
     * Delivers the result of an ended call that no client has received. Until it is delivered, equal calls join: the
     * ledger may hang, and the client may give up and call again in the meantime.
     *
     * @param fallback run if the result was already delivered
     */
    private void deliverKept(
            FacadeCaller caller,
            CallDeduplicationKey key,
            InFlightClientRequest clientRequest,
            String proposalId,
            Runnable fallback) {
        PendingCall call = new PendingCall(topicCalls, caller, key, proposalId, true);
        call.startDelivery(clientRequest);
        Consumer<Throwable> onFailure = failure -> {
            topicCalls
                    .uncollectedResults()
                    .add(key, proposalId, topicCalls.now(), UncollectedResults.RETENTION_AFTER_LOSS);
            call.stopDelivery().forEach(waiting -> respondResultUnavailable(waiting.clientRequest()));
        };
        topicCalls.loadResult(
                caller,
                proposalId,
                callResult -> topicCalls.claimDelivery(
                        proposalId,
                        claimed -> {
                            if (claimed) {
                                call.completeDelivery(callResult);
                                return;
                            }
                            for (PendingCall.WaitingRequest waiting : call.stopDelivery()) {
                                if (waiting.clientRequest().equals(clientRequest)) {
                                    fallback.run();
                                } else {
                                    respondRepeatedTooOften(waiting.clientRequest());
                                }
                            }
                        },
                        onFailure),
                onFailure);
    }

    private static void respondResultUnavailable(InFlightClientRequest clientRequest) {
        clientRequest.respond(RpcErrorCode.UNAVAILABLE.toResponse(
                clientRequest.id(), "The ledger is unavailable. Call again later to get the result."));
    }

    /**
     * Delivers the result of a proposal. Only one process delivers it, and only once.
     *
     * @param repeatable whether an equal call gets the result if this one does not
     * @param fallback run if the result was already delivered
     */
    private void deliverUncollected(
            FacadeCaller caller,
            CallDeduplicationKey key,
            InFlightClientRequest clientRequest,
            String proposalId,
            boolean repeatable,
            Runnable fallback) {
        if (repeatable && !clientRequest.acceptsTask(key.target().method())) {
            deliverKept(caller, key, clientRequest, proposalId, fallback);
            return;
        }
        Runnable keep = () -> {
            if (repeatable) {
                topicCalls
                        .uncollectedResults()
                        .add(key, proposalId, topicCalls.now(), UncollectedResults.RETENTION_AFTER_LOSS);
            }
        };
        Consumer<Throwable> onFailure = failure -> {
            keep.run();
            respondResultUnavailable(clientRequest);
        };
        topicCalls.loadResult(
                caller,
                proposalId,
                callResult -> topicCalls.claimDelivery(
                        proposalId,
                        claimed -> {
                            if (!claimed) {
                                fallback.run();
                            } else if (clientRequest.response().isClosed()) {
                                topicCalls
                                        .proposalFollowUpSender()
                                        .revokeForwarded(proposalId, CallResponseFactory.REASON_CONNECTION_LOST);
                                keep.run();
                            } else if (clientRequest.acceptsTask(key.target().method())) {
                                clientRequest.onProposed(proposalId);
                            } else {
                                clientRequest.respond(JoinedCallMarker.mark(CallResponseFactory.result(
                                        clientRequest.id(), key.target(), proposalId, callResult)));
                            }
                        },
                        onFailure),
                onFailure);
    }

    private void send(
            FacadeCaller caller,
            CallDeduplicationKey key,
            InFlightClientRequest clientRequest,
            String id,
            RawPayload payload) {
        PendingCall call = new PendingCall(topicCalls, caller, key, id, false).addFirstWaiter(clientRequest);
        topicCalls.start(
                call,
                caller.member(),
                CallEnvelopeFactory.encodeEnvelope(id, key.target().requestKind(), key.target(), payload));
    }

    /** A caller that may make the call directly may propose it as well, if it needs approval nevertheless. */
    private static Member proposer(FacadeCaller caller, CallDeduplicationKey key, RawPayload payload) {
        Kind kind = key.target().requestKind().withOperation("proposal");
        return caller.member().capabilitySet().admits(kind, payload)
                ? caller.member()
                : caller.withOnlyCapability("mcp.proposal." + key.target().method());
    }

    private void propose(
            FacadeCaller caller,
            CallDeduplicationKey key,
            InFlightClientRequest clientRequest,
            String id,
            RawPayload payload,
            PendingCall.EqualProposalHandler equalProposalHandler) {
        PendingCall call = new PendingCall(topicCalls, caller, key, id, true)
                .onEqualProposal(equalProposalHandler)
                .addFirstWaiter(clientRequest);
        Member proposer = proposer(caller, key, payload);
        byte[] envelope = CallEnvelopeFactory.encodeEnvelope(
                id, key.target().requestKind().withOperation("proposal"), key.target(), payload);
        if (caller.settings().joinsRepeatedCalls()) {
            topicCalls.joinableCalls().add(call);
            topicCalls.startOrJoin(call, proposer, envelope);
        } else {
            topicCalls.start(call, proposer, envelope);
        }
    }

    /** Proposes a call for a client that does not wait, but polls the proposal by its id. */
    private void proposeAsTask(
            FacadeCaller caller,
            CallDeduplicationKey key,
            InFlightClientRequest clientRequest,
            String id,
            RawPayload payload) {
        Kind kind = key.target().requestKind().withOperation("proposal");
        topicCalls.respondOnLoop(
                topicCalls.submit(
                        caller,
                        proposer(caller, key, payload),
                        CallEnvelopeFactory.encodeEnvelope(id, kind, key.target(), payload)),
                clientRequest,
                submitResult -> {
                    switch (submitResult) {
                        case SubmitResult.Refused(var failures) ->
                            clientRequest.respond(
                                    RefusalResponseFactory.toResponse(clientRequest.id(), key.target(), failures));
                        case SubmitResult.Accepted _ -> {
                            if (clientRequest.response().isClosed()) {
                                topicCalls
                                        .proposalFollowUpSender()
                                        .withdrawOrCancel(caller, id, CallResponseFactory.REASON_ID_NOT_DELIVERED);
                            } else {
                                if (caller.settings().joinsRepeatedCalls()) {
                                    topicCalls.registerTask(
                                            new PendingCall(topicCalls, caller, key, id, true).markHeldAsTask());
                                }
                                clientRequest.onProposed(id);
                            }
                        }
                    }
                },
                failure -> topicCalls.respondInternalError(clientRequest, failure));
    }

    public static String missingCapabilityMessage(FacadeCaller caller, Kind requestKind) {
        return "You are not allowed to call or propose "
                + (requestKind.context() == null ? requestKind.method() : requestKind.context())
                + " with these parameters. Ask an admin for the capability '" + requestKind + "'"
                + (caller.hasLedger()
                        ? " to call it, or for '" + requestKind.withOperation("proposal") + "' to propose it."
                        : ".");
    }
}
