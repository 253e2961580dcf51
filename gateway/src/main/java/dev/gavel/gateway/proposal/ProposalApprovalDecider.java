package dev.gavel.gateway.proposal;

import dev.gavel.gateway.proposal.ProposalEvent.ApprovalHeld;
import dev.gavel.gateway.proposal.ProposalEvent.EditCheck;
import dev.gavel.gateway.proposal.ProposalEvent.Fulfilled;
import dev.gavel.gateway.proposal.ProposalEvent.SecretsRevealed;
import dev.gavel.gateway.tool.EditedArgumentsCheck;
import dev.gavel.gateway.tool.EditedArgumentsCheck.ArgumentCheckResult;
import dev.gavel.gateway.tool.RecordedToolDefinition;
import dev.gavel.gateway.tool.ToolDefinition;
import dev.gavel.gateway.tool.ToolListState;
import dev.gavel.gateway.tool.TopicTools;
import dev.gavel.mcpx.EnvelopeErrorCode;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.RawPayload;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether to accept a member's approval of a proposal, which the member gives by sending the proposed call
 * itself.
 */
record ProposalApprovalDecider(
        ProposalSettings settings,
        CapabilitiesByMember members,
        AdmittedEnvelope admitted,
        PresenceSnapshot presenceSnapshot,
        TopicTools tools,
        Optional<ArgumentCheckResult> argumentCheckResult) {
    /** The fields of a JSON-RPC request. */
    private static final Set<String> CALL_FIELDS = Set.of("jsonrpc", "id", "method", "params");

    ProposalDeciderResult decide(Optional<ProposalSnapshot> found) {
        if (found.isEmpty()) {
            String id = admitted.envelope().correlationIds().getFirst();
            return new ProposalDeciderResult.Refused(List.of(ProposalRefusal.unknown(admitted, id)));
        }
        ProposalSnapshot proposalSnapshot = found.get();
        return error(proposalSnapshot)
                .<ProposalDeciderResult>map(
                        proposalRefusal -> new ProposalDeciderResult.Refused(List.of(proposalRefusal)))
                .orElseGet(() -> decideDefinition(proposalSnapshot));
    }

    /** Compares the tool's definition; if it was not loaded yet, asks for that first. */
    private ProposalDeciderResult decideDefinition(ProposalSnapshot proposalSnapshot) {
        ApprovalDefinitionChecker comparison =
                new ApprovalDefinitionChecker(proposalSnapshot, admitted, tools, isDefinitionUnknown(proposalSnapshot));
        Optional<String> unloadedRunner = comparison.unloadedRunner();
        if (unloadedRunner.isPresent() && argumentCheckResult.isEmpty()) {
            return checkRequired(
                    proposalSnapshot, List.of(), admitted.envelope().payload());
        }
        return definitionCapabilityError(proposalSnapshot)
                .<ProposalDeciderResult>map(refusal -> new ProposalDeciderResult.Refused(List.of(refusal)))
                .orElseGet(() -> decideDefinition(proposalSnapshot, comparison, unloadedRunner));
    }

    private ProposalDeciderResult checkRequired(
            ProposalSnapshot proposalSnapshot, List<ToolDefinition> definitions, RawPayload payload) {
        return new ProposalDeciderResult.ArgumentCheckRequired(new EditedArgumentsCheck(
                definitions, proposalSnapshot.payload(), payload, isDefinitionUnknown(proposalSnapshot)));
    }

    /**
     * Whether the tools of the participant that is to run the call were not known when the approval arrived. The check of
     * an edit may have loaded them since.
     */
    private boolean isDefinitionUnknown(ProposalSnapshot proposalSnapshot) {
        return argumentCheckResult
                .map(ArgumentCheckResult::definitionUnknown)
                .orElseGet(() -> TopicTools.toolOf(proposalSnapshot.callKind())
                        .filter(tool -> admitted.to().stream()
                                .noneMatch(runner -> tools.isLoaded(runner)
                                        || tools.find(runner, tool).isPresent()))
                        .isPresent());
    }

    /** Refuses an approval of a changed definition by a member whose own direct calls the change has stopped. */
    private Optional<ProposalRefusal> definitionCapabilityError(ProposalSnapshot proposalSnapshot) {
        return members.mayApproveDefinition(admitted.from())
                ? Optional.empty()
                : TopicTools.toolOf(proposalSnapshot.callKind())
                        .flatMap(tool -> admitted.to().stream()
                                .filter(runner -> tools.stopsDirectCalls(runner, tool))
                                .findFirst()
                                .flatMap(runner -> error(
                                        proposalSnapshot,
                                        EnvelopeErrorCode.CAPABILITY_VIOLATION,
                                        "The definition of " + SafeText.line(tool) + " on " + SafeText.line(runner)
                                                + " changed since it was last approved or first called, so your right"
                                                + " to make this call is suspended. To approve it, you need the"
                                                + " capability " + CapabilitiesByMember.APPROVE_DEFINITION
                                                + ". Your request was not forwarded, and the proposal stays open.")));
    }

    private ProposalDeciderResult decideDefinition(
            ProposalSnapshot proposalSnapshot, ApprovalDefinitionChecker comparison, Optional<String> unloadedRunner) {
        return unloadedRunner
                .map(runner -> "Not approved: "
                        + (tools.listState(runner) == ToolListState.CURRENT
                                ? "this gateway does not know the tools of " + SafeText.line(runner) + " yet."
                                : SafeText.line(runner)
                                        + " reported that its tools changed, and has not listed them since.")
                        + " The proposal stays open. Send the envelope again in a moment.")
                .map(problem ->
                        ProposalRefusal.about(proposalSnapshot, admitted, EnvelopeErrorCode.UNAVAILABLE, problem))
                .or(() -> comparison
                        .problem()
                        .map(problem -> ProposalRefusal.about(
                                proposalSnapshot, admitted, EnvelopeErrorCode.DEFINITION_CHANGED, problem)))
                .<ProposalDeciderResult>map(refusal -> new ProposalDeciderResult.Refused(List.of(refusal)))
                .orElseGet(() -> accept(proposalSnapshot));
    }

    private Optional<ProposalRefusal> error(ProposalSnapshot proposalSnapshot) {
        ProposalState state = proposalSnapshot.stateAt(admitted.receivedAt());
        if (state == ProposalState.FULFILLED) {
            String by = proposalSnapshot.fulfilment() == null
                    ? "another reviewer"
                    : new ProposalDecider(settings, members)
                            .namesFor(proposalSnapshot, admitted.from())
                            .of(proposalSnapshot.fulfilment().fulfilled().actor());
            return error(
                    proposalSnapshot,
                    EnvelopeErrorCode.ALREADY_FULFILLED,
                    "The proposal was already approved by " + by
                            + ", so your request was not forwarded. There is nothing left to do.");
        }
        if (state != ProposalState.OPEN) {
            return error(
                    proposalSnapshot,
                    EnvelopeErrorCode.PROPOSAL_CLOSED,
                    "The proposal is closed (" + state.label()
                            + "), so your request was not forwarded."
                            + " If the call is still needed, it must be proposed again.");
        }
        Optional<ProposalSnapshot.HeldApproval> heldApproval = proposalSnapshot.heldApproval();
        if (heldApproval.isPresent()) {
            return error(
                    proposalSnapshot,
                    EnvelopeErrorCode.ALREADY_FULFILLED,
                    "The proposal was already approved by "
                            + new ProposalDecider(settings, members)
                                    .namesFor(proposalSnapshot, admitted.from())
                                    .of(heldApproval.get().approval().actor())
                            + ". The call runs when the disconnected caller calls again. Your request was not"
                            + " forwarded.");
        }
        if (admitted.from().equals(proposalSnapshot.proposer()) && !settings.selfApproval()) {
            return error(
                    proposalSnapshot,
                    EnvelopeErrorCode.OWN_PROPOSAL,
                    "You cannot approve your own proposal in this topic. Ask another reviewer to approve it,"
                            + " or withdraw it.");
        }
        Kind call = proposalSnapshot.callKind();
        if (!admitted.envelope().kindWithContext().equals(call)) {
            return error(
                    proposalSnapshot,
                    EnvelopeErrorCode.FULFILMENT_MISMATCH,
                    "The proposed call is " + call + ". Send that call, with edited arguments if you like. To send a"
                            + " different call, leave out the correlationId.");
        }
        Optional<String> ignored = ignoredField(proposalSnapshot);
        if (ignored.isPresent()) {
            return error(
                    proposalSnapshot,
                    EnvelopeErrorCode.FULFILMENT_MISMATCH,
                    "The field '" + SafeText.line(ignored.get())
                            + "' of the payload does not change the call, so your request was not forwarded. Put edited"
                            + " arguments into 'params'. The proposal stays open.");
        }
        if (!presenceSnapshot.anyPresent(admitted.to())) {
            return noRunnerError(proposalSnapshot);
        }
        if (Set.copyOf(admitted.to()).size() > 1) {
            return error(
                    proposalSnapshot,
                    EnvelopeErrorCode.MALFORMED,
                    "In 'to', name only the participant that runs the call. With several participants, the call could"
                            + " run more than once. Your request was not forwarded, and the proposal stays open.");
        }
        return Optional.empty();
    }

    /**
     * Returns a field of the payload, beside the parameters, that the reviewer has set. A participant that runs the call
     * ignores it, so an edit there would be lost.
     */
    private Optional<String> ignoredField(ProposalSnapshot proposalSnapshot) {
        Json proposed = parse(proposalSnapshot.payload());
        return parse(admitted.envelope().payload()).members().entrySet().stream()
                .filter(field -> !CALL_FIELDS.contains(field.getKey())
                        && !field.getValue().equals(proposed.at(field.getKey())))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    private static Json parse(RawPayload payload) {
        return Json.parse(payload.toString()).orElseGet(Json::object);
    }

    private Optional<ProposalRefusal> noRunnerError(ProposalSnapshot proposalSnapshot) {
        String open = " The proposal stays open.";
        return error(
                proposalSnapshot,
                EnvelopeErrorCode.UNKNOWN_RECIPIENT,
                admitted.to().isEmpty()
                        ? "In 'to', name the participant that runs the call. Your request was not forwarded." + open
                        : "Not connected: " + String.join(", ", admitted.to())
                                + ". Name a connected participant in 'to', or try again later." + open);
    }

    private Optional<ProposalRefusal> error(ProposalSnapshot proposalSnapshot, EnvelopeErrorCode code, String message) {
        return Optional.of(ProposalRefusal.about(proposalSnapshot, admitted, code, message));
    }

    private ProposalDeciderResult accept(ProposalSnapshot proposalSnapshot) {
        StoredEnvelope storedEnvelope = StoredEnvelope.of(admitted);
        boolean edited = !ProposalCallArguments.of(proposalSnapshot.payload())
                .sameAs(ProposalCallArguments.of(storedEnvelope.envelope().payload()));
        List<ToolDefinition> definitions = definitions(proposalSnapshot);
        if (!edited) {
            return accept(proposalSnapshot, storedEnvelope, null, definitions);
        }
        List<ToolDefinition> withSchema = admitted.to().stream()
                .flatMap(runner -> tools.findSchema(runner, proposalSnapshot.callKind()).stream())
                .filter(ToolDefinition::hasCheckableSchema)
                .toList();
        boolean tried = argumentCheckResult.isPresent() || !TopicTools.hasArguments(proposalSnapshot.callKind());
        boolean problemFound =
                argumentCheckResult.flatMap(ArgumentCheckResult::problem).isPresent();
        if (admitted.envelope().unchecked() || (withSchema.isEmpty() && tried && !problemFound)) {
            return accept(
                    proposalSnapshot,
                    storedEnvelope,
                    admitted.envelope().unchecked() ? EditCheck.UNCHECKED : EditCheck.NO_SCHEMA,
                    definitions);
        }
        if ((withSchema.isEmpty() && !problemFound)
                || argumentCheckResult.isEmpty()
                || !argumentCheckResult.get().covers(withSchema)) {
            return checkRequired(
                    proposalSnapshot, withSchema, storedEnvelope.envelope().payload());
        }
        return argumentCheckResult
                .get()
                .problem()
                .<ProposalDeciderResult>map(problem -> new ProposalDeciderResult.Refused(List.of(ProposalRefusal.about(
                        proposalSnapshot,
                        admitted,
                        EnvelopeErrorCode.INVALID_ARGUMENTS,
                        problem + " Your request was not forwarded, and the proposal stays open. To approve these"
                                + " arguments without the check, set 'unchecked'."))))
                .orElseGet(() -> accept(proposalSnapshot, storedEnvelope, EditCheck.PASSED, definitions));
    }

    /** Returns the participants that the proposal wanted to run the call, if the reviewer names another one. */
    private List<String> redirectedFrom(ProposalSnapshot proposalSnapshot) {
        List<String> addressed = AddressedRunners.of(
                proposalSnapshot,
                members,
                id -> tools.findSchema(id, proposalSnapshot.callKind()).isPresent());
        return Collections.disjoint(addressed, admitted.to()) ? addressed : List.of();
    }

    /** Whether the participants that are to run the call are known not to list its tool. */
    private boolean isUnlisted(ProposalSnapshot proposalSnapshot) {
        return TopicTools.toolOf(proposalSnapshot.callKind())
                .filter(tool -> admitted.to().stream()
                        .allMatch(runner -> tools.isLoaded(runner)
                                && tools.find(runner, tool).isEmpty()))
                .isPresent();
    }

    /** Returns the tool's current definitions by the participants that are to run the call. */
    private List<ToolDefinition> definitions(ProposalSnapshot proposalSnapshot) {
        return TopicTools.toolOf(proposalSnapshot.callKind())
                .map(tool -> admitted.to().stream()
                        .flatMap(runner -> tools.find(runner, tool).stream())
                        .toList())
                .orElse(List.of());
    }

    /**
     * Returns the patterns of the approved call's secret arguments. The edit may have added a secret that the proposal
     * does not have. So the schemas of the tool count too, as they are now and as they were when the call was proposed.
     */
    private SecretArgumentPatterns secrets(ProposalSnapshot proposalSnapshot) {
        SecretArgumentPatterns secrets =
                settings.secrets().union(proposalSnapshot.proposed().secrets()).union(admitted.schemaSecrets());
        for (RecordedToolDefinition recorded : proposalSnapshot.proposed().tools()) {
            secrets = recorded.definition()
                    .map(definition -> SecretArgumentPatterns.ofSchema(definition.inputSchema()))
                    .map(secrets::union)
                    .orElse(secrets);
        }
        return secrets;
    }

    private ProposalDeciderResult accept(
            ProposalSnapshot proposalSnapshot,
            StoredEnvelope storedEnvelope,
            @Nullable EditCheck editCheck,
            List<ToolDefinition> definitions) {
        // The participant that runs the call compares these with its current definition.
        StoredEnvelope pinned = storedEnvelope.withDefinitions(
                isUnlisted(proposalSnapshot)
                        ? List.of(ToolDefinition.UNLISTED)
                        : definitions.stream().map(ToolDefinition::digest).toList());
        SecretArgumentPatterns secrets = secrets(proposalSnapshot);
        Fulfilled fulfilled = new Fulfilled(
                pinned,
                editCheck != null,
                admitted.receivedAt().plus(settings.answerTimeout()),
                secrets.hasSecrets(storedEnvelope.envelope().payload()) ? secrets : SecretArgumentPatterns.NONE,
                editCheck,
                definitions.stream().map(RecordedToolDefinition::of).toList(),
                admitted.sentPayload(),
                redirectedFrom(proposalSnapshot));
        if (proposalSnapshot.callerDisconnection().isPresent()) {
            return ProposalDecider.accept(
                    proposalSnapshot,
                    List.of(new ApprovalHeld(fulfilled, admitted.tokenHash().orElse(null))),
                    Optional.empty());
        }
        return ProposalDecider.accept(
                proposalSnapshot,
                fulfilled.revealsSecretsToRunner()
                        ? List.of(new SecretsRevealed(admitted.from()), fulfilled)
                        : List.of(fulfilled),
                Optional.of(RoutedEnvelope.of(pinned, List.of(proposalSnapshot), List.of(proposalSnapshot.id()))));
    }
}
