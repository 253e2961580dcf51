package dev.gavel.mcp.facade.dispatch;

import dev.gavel.gateway.ApprovalResult;
import dev.gavel.gateway.proposal.CallRisk;
import dev.gavel.gateway.proposal.ProposalView;
import dev.gavel.gateway.proposal.ProposedToolStatusJsonWriter;
import dev.gavel.gateway.proposal.RejectionEffect;
import dev.gavel.gateway.proposal.ToolDefinitionDifference;
import dev.gavel.gateway.routing.SubmitResult;
import dev.gavel.gateway.store.ProposalPage;
import dev.gavel.gateway.topic.ProposalQueries;
import dev.gavel.mcp.facade.call.ClientMessageFactory;
import dev.gavel.mcp.facade.call.FacadeCaller;
import dev.gavel.mcp.facade.call.RefusalResponseFactory;
import dev.gavel.mcp.facade.call.TopicCalls;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.proposal.ApprovalOptions;
import dev.gavel.mcpx.proposal.CallParameters;
import dev.gavel.mcpx.proposal.ProposalEnvelopeFactory;
import dev.gavel.mcpx.text.JsonTextLayout;
import dev.gavel.mcpx.text.NearestNameFinder;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.mcpx.text.ValueChangeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;

/**
 * Implements the facade's own MCP tools: callers list and withdraw their proposals, and reviewers list, approve and
 * reject those of others. Confined to the topic's loop; results complete on any thread.
 */
final class GavelTools {
    static final Set<String> TOOL_NAMES =
            Set.of("gavel_status", "gavel_withdraw", "gavel_pending", "gavel_approve", "gavel_reject");

    private static final Kind CALL = Kind.of("mcp.request.tools/call");
    private static final Kind REJECT = Kind.of("mcpx.reject.proposal");
    private static final int MAX_LISTED = 20;
    private static final int MAX_PENDING = 50;

    /** Limit on the characters of one proposal's arguments in a line of text. */
    private static final int MAX_LINE_CHARACTERS = 300;

    /** The size of a changed value of a tool definition in the text that lists proposals. */
    private static final int MAX_CHANGED_VALUE_CHARACTERS = 600;

    private static final int MAX_SHOWN_NAME = 60;

    /** Approximate limit on the characters of a result, which a client's model has to read. */
    private static final int MAX_CHARACTERS = 256 << 10;

    private static final String PROPOSAL_PROPERTY = """
            "proposal":{"type":"string","description":"The proposal's id."}""";

    private static final Json STATUS = tool(
            "gavel_status",
            "Show the status of calls that you proposed: waiting for approval, approved, rejected, expired, withdrawn,"
                    + " succeeded or failed. Without 'proposal', list your latest proposals.",
            "\"properties\":{" + PROPOSAL_PROPERTY + "}",
            "\"readOnlyHint\":true");
    private static final Json WITHDRAW = tool(
            "gavel_withdraw",
            "Withdraw a call that you proposed and that no reviewer has approved yet. The call then does not run.",
            "\"properties\":{" + PROPOSAL_PROPERTY
                    + ",\"reason\":{\"type\":\"string\",\"description\":\"Why you withdraw it. Reviewers see this"
                    + " text.\"}},"
                    + "\"required\":[\"proposal\"]",
            "\"destructiveHint\":false");
    private static final Json PENDING = tool(
            "gavel_pending",
            "List the proposals of other participants that wait for a decision you can make, with their arguments,"
                    + " oldest first. Arguments that are too long are left out, and the proposal is marked as"
                    + " truncated. See its arguments in the inbox of the web console. 'review' contains what the tool"
                    + " can do, as the participant that runs it describes it, and warnings about what is easy to"
                    + " overlook. Secret arguments are hidden.",
            "\"properties\":{\"reveal\":{\"type\":\"string\",\"description\":\"The id of a proposal whose secret"
                    + " arguments you need to see. The ledger records that you saw them. Only this proposal is then"
                    + " listed.\"}}",
            "\"readOnlyHint\":true");
    private static final Json APPROVE = tool(
            "gavel_approve",
            "Approve a proposed call. The call then runs with the proposed arguments, or with the arguments that you"
                    + " pass here.",
            "\"properties\":{" + PROPOSAL_PROPERTY
                    + ",\"arguments\":{\"type\":\"object\",\"description\":\"The complete new arguments. Leave this"
                    + " out to approve the call as proposed.\"},\"to\":{\"type\":\"string\",\"description\":\"The"
                    + " participant that runs the call. Required only if several participants can run it.\"},"
                    + "\"confirm\":{\"type\":\"boolean\",\"description\":\"Set to true to confirm that you have"
                    + " read all arguments and warnings. Required if 'careful' is true in the proposal's 'review'.\"},"
                    + "\"unchecked\":{\"type\":\"boolean\",\"description\":\"Set to true to run the new arguments"
                    + " without checking them against the tool's schema.\"},"
                    + "\"definition\":{\"type\":\"string\",\"description\":\"The digest of the tool's current"
                    + " definition, from gavel_pending. Required only if the definition changed after the call was"
                    + " proposed.\"}},"
                    + "\"required\":[\"proposal\"]",
            "\"destructiveHint\":true");
    private static final Json REJECT_TOOL = tool(
            "gavel_reject",
            "Reject a proposed call. If your rejection counts, the call does not run. The proposer is notified of the"
                    + " reason. The answer says whether the proposal is closed.",
            "\"properties\":{" + PROPOSAL_PROPERTY
                    + ",\"reason\":{\"type\":\"string\",\"description\":\"One of policy, unsafe, disagree,"
                    + " inappropriate, duplicate, invalid, or your own words. busy, incapable and resource_limit only"
                    + " say that you do not decide: other reviewers still can.\"},"
                    + "\"note\":{\"type\":\"string\",\"description\":\"Details about the reason.\"}},"
                    + "\"required\":[\"proposal\",\"reason\"]",
            "\"destructiveHint\":false");

    private static final List<Json> TOOLS = List.of(STATUS, WITHDRAW, PENDING, APPROVE, REJECT_TOOL);

    private final TopicCalls topicCalls;

    GavelTools(TopicCalls topicCalls) {
        this.topicCalls = topicCalls;
    }

    private static Json tool(String name, String description, String schema, String hints) {
        return Json.parse("{\"name\":\"" + name + "\",\"description\":\"" + description
                        + "\",\"inputSchema\":{\"type\":\"object\"," + schema
                        + ",\"additionalProperties\":false},\"annotations\":{" + hints
                        + ",\"openWorldHint\":false}}")
                .orElseThrow();
    }

    /** Returns the tools that a caller can use. */
    List<Json> list(FacadeCaller caller) {
        return TOOLS.stream()
                .filter(tool -> isOffered(caller, tool.at("name").text()))
                .toList();
    }

    /**
     * Whether a caller can use the tool of that name. Without a ledger there are no proposals, and none of these tools.
     */
    boolean isOffered(FacadeCaller caller, String name) {
        if (!caller.hasLedger()) {
            return false;
        }
        boolean mayCall = caller.mayCallKind(CALL);
        boolean mayReject = caller.member().capabilitySet().admitsKind(REJECT);
        return switch (name) {
            case "gavel_status", "gavel_withdraw" -> true;
            case "gavel_pending" -> mayCall || mayReject;
            case "gavel_approve" -> mayCall;
            case "gavel_reject" -> mayReject;
            default -> false;
        };
    }

    /** Calls a tool and returns its tool result. */
    CompletionStage<Json> call(FacadeCaller caller, String name, Json arguments) {
        Optional<ProposalQueries> proposalQueries = topicCalls.proposalQueries();
        Optional<String> proposal = arguments.at("proposal").asText();
        if (proposalQueries.isEmpty()) {
            return completedText("This topic has no ledger, so it has no proposals.", true);
        }
        Optional<String> argumentProblem = argumentProblem(name, arguments);
        if (argumentProblem.isPresent()) {
            return completedText(argumentProblem.get() + " Nothing was done.", true);
        }
        if (proposal.isEmpty()
                && Set.of("gavel_withdraw", "gavel_approve", "gavel_reject").contains(name)) {
            return completedText("'proposal' is missing. Pass the proposal's id.", true);
        }
        return switch (name) {
            case "gavel_status" ->
                proposal.isPresent()
                        ? proposalQueries
                                .get()
                                .view(caller.member(), proposal.get())
                                .thenApply(found -> status(caller, found))
                        : proposalQueries
                                .get()
                                .list(
                                        caller.member(),
                                        Optional.empty(),
                                        Optional.of(caller.id()),
                                        Optional.empty(),
                                        MAX_LISTED)
                                .thenApply(found -> renderProposals(
                                        found.map(ProposalPage::proposals).orElse(List.of()),
                                        "You have no proposals.",
                                        found.flatMap(ProposalPage::nextCursor)
                                                .map(_ -> "Older proposals are not shown.")));
            case "gavel_pending" ->
                arguments.at("reveal").asText().isPresent()
                        ? proposalQueries
                                .get()
                                .reveal(caller.member(), arguments.at("reveal").text())
                                .thenApply(found -> found.map(view -> renderProposals(List.of(view), ""))
                                        .orElseGet(() -> textResult(
                                                "You cannot reveal the secrets of that proposal: it does not exist, or"
                                                        + " you are not allowed to approve it.",
                                                true)))
                        : pending(caller, proposalQueries.get());
            case "gavel_withdraw" -> withdraw(caller, proposal.orElseThrow(), arguments);
            case "gavel_approve" -> approve(caller, proposal.orElseThrow(), arguments);
            case "gavel_reject" -> reject(caller, proposal.orElseThrow(), arguments);
            default -> throw new IllegalArgumentException("unknown tool '" + name + "'");
        };
    }

    /**
     * Returns why arguments do not match the schema of a tool. A mistyped argument must not be ignored: an approval would
     * run the call as proposed instead of as the reviewer edited it.
     */
    private static Optional<String> argumentProblem(String tool, Json arguments) {
        if (arguments.isPresent() && arguments.type() != Json.Type.OBJECT) {
            return Optional.of("The arguments of " + tool + " must be a JSON object.");
        }
        Map<String, Json> properties = TOOLS.stream()
                .filter(each -> each.at("name").text().equals(tool))
                .findFirst()
                .map(each -> each.at("inputSchema").at("properties").members())
                .orElse(Map.of());
        return arguments.members().entrySet().stream()
                .flatMap(argument -> argumentProblem(tool, argument.getKey(), argument.getValue(), properties).stream())
                .findFirst();
    }

    private static Optional<String> argumentProblem(
            String tool, String name, Json value, Map<String, Json> properties) {
        Json property = properties.get(name);
        if (property == null) {
            return Optional.of(tool + " has no argument '" + SafeText.brief(name, MAX_SHOWN_NAME) + "'"
                    + NearestNameFinder.suggest(name, properties.keySet())
                            .map(nearest -> "; did you mean '" + nearest + "'?")
                            .orElse(". Its arguments are: " + String.join(", ", properties.keySet()) + "."));
        }
        boolean matches = switch (property.at("type").text()) {
            case "string" -> value.type() == Json.Type.TEXT;
            case "boolean" -> value.type() == Json.Type.BOOLEAN;
            default -> value.type() == Json.Type.OBJECT;
        };
        // Some clients send null for an argument that they leave out. New arguments are never left out by mistake.
        boolean leftOut = value.type() == Json.Type.NULL && !name.equals("arguments");
        return matches || leftOut
                ? Optional.empty()
                : Optional.of("'" + name + "' must be of the type "
                        + property.at("type").text() + ".");
    }

    private static CompletionStage<Json> pending(FacadeCaller caller, ProposalQueries proposalQueries) {
        return proposalQueries
                .awaitingDecisionOf(caller.member(), MAX_PENDING)
                .thenCombine(
                        proposalQueries.countAwaitingDecisionOf(caller.member()),
                        (found, total) -> renderProposals(
                                found,
                                "No proposal is waiting for your decision.",
                                total <= MAX_PENDING
                                        ? Optional.empty()
                                        : Optional.of((total - MAX_PENDING)
                                                + " more wait for your decision. Decide some of these first, or see"
                                                + " all of them in the inbox of the web console.")));
    }

    private static Json status(FacadeCaller caller, Optional<ProposalView> found) {
        return found.filter(view -> view.proposer().equals(caller.id()))
                .map(view -> renderProposals(List.of(view), ""))
                .orElseGet(() -> textResult(
                        "You have no proposal with that id. To list your proposals, call gavel_status without 'proposal'.",
                        true));
    }

    /**
     * Renders proposals as text and as structured content: as many of them, and as many of their arguments, as fit the
     * limit.
     */
    static Json renderProposals(List<ProposalView> views, String emptyText) {
        return renderProposals(views, emptyText, Optional.empty());
    }

    /**
     * Renders proposals.
     *
     * @param more what to say about further proposals, which are not among these
     */
    private static Json renderProposals(List<ProposalView> views, String emptyText, Optional<String> more) {
        List<String> lines = new ArrayList<>();
        List<Json> rendered = new ArrayList<>();
        long remaining = MAX_CHARACTERS;
        for (ProposalView view : views) {
            Json params = Json.parse(view.effectivePayload().toString())
                    .orElseGet(Json::object)
                    .at("params");
            String line = proposalLine(view, params);
            String paramsJson = params.isPresent() ? params.raw() : ClientMessageFactory.EMPTY_RESULT;
            Json truncatedJson = proposalJson(view, Optional.empty());
            remaining -= line.length() + truncatedJson.raw().length();
            if (remaining < 0) {
                lines.add("Not shown, because the answer would be too long: " + (views.size() - rendered.size())
                        + " more.");
                break;
            }
            Json wholeJson = proposalJson(view, Optional.of(paramsJson));
            int rest = wholeJson.raw().length() - truncatedJson.raw().length();
            boolean fits = rest <= remaining;
            remaining -= fits ? rest : 0;
            lines.add(line);
            rendered.add(fits ? wholeJson : truncatedJson);
        }
        more.ifPresent(lines::add);
        return ClientMessageFactory.textToolResult(
                lines.isEmpty() ? emptyText : String.join("\n", lines), false, json -> {
                    json.writeObjectPropertyStart("structuredContent");
                    json.writeArrayPropertyStart("proposals");
                    rendered.forEach(each -> json.writeRawValue(each.raw()));
                    json.writeEndArray();
                    if (rendered.size() < views.size() || more.isPresent()) {
                        json.writeBooleanProperty("truncated", true);
                    }
                    json.writeEndObject();
                });
    }

    private static String proposalLine(ProposalView view, Json params) {
        CallParameters parameters =
                CallParameters.ofMethod(String.valueOf(view.kind().method()), params, view.id());
        Json arguments = parameters.arguments();
        return SafeText.line(SafeText.word(view.id()) + " (" + view.state().label() + ") "
                        + targetName(view, parameters) + " ")
                + (arguments.isPresent() ? SafeText.excerpt(JsonTextLayout.line(arguments), MAX_LINE_CHARACTERS) : "")
                + otherParameters(parameters)
                + (view.isEdited() ? " (arguments edited by the reviewer)" : "")
                + SafeText.line(" from " + view.names().withId(view.proposer()) + ": "
                        + view.guidance().status())
                + view.risk().map(GavelTools::riskText).orElse("")
                + view.tools().stream()
                        .flatMap(tool -> tool.notes().stream())
                        .map(note -> " " + note)
                        .collect(Collectors.joining())
                + view.tools().stream()
                        .flatMap(tool -> tool.differences().stream())
                        .map(GavelTools::differenceText)
                        .collect(Collectors.joining());
    }

    /** Many clients show only the text of a result, so the text contains what an approval accepts. */
    private static String differenceText(ToolDefinitionDifference difference) {
        return "\n  " + difference.heading() + ":"
                + difference.changes().stream()
                        .flatMap(
                                change -> ValueChangeFormatter.lines(
                                        change.field(), change.before(), change.after(), MAX_CHANGED_VALUE_CHARACTERS)
                                        .stream())
                        .map(line -> "\n  " + line)
                        .collect(Collectors.joining());
    }

    /** What else an approval sends on, besides the arguments. */
    private static String otherParameters(CallParameters parameters) {
        int others = parameters.others().members().size();
        return (others == 0
                        ? ""
                        : (others == 1 ? " and 1 other parameter: " : " and " + others + " other parameters: ")
                                + SafeText.excerpt(JsonTextLayout.line(parameters.others()), MAX_LINE_CHARACTERS))
                + (parameters.metadata().isPresent()
                        ? String.format(
                                Locale.ROOT,
                                " and %,d characters of metadata from the client",
                                parameters.metadata().compact().length())
                        : "");
    }

    private static String riskText(CallRisk risk) {
        return (risk.careful() ? " Careful: " : " ")
                + risk.effectText()
                + (risk.warnings().isEmpty() ? "" : " Check: " + String.join("; ", risk.warnings()))
                + switch (risk.omittedWarnings()) {
                    case 0 -> risk.warnings().isEmpty() ? "" : ".";
                    case 1 -> "; and 1 more warning.";
                    default -> "; and " + risk.omittedWarnings() + " more warnings.";
                };
    }

    /** Returns the tool, prompt or resource, also if the proposer left it out of the kind; otherwise the method. */
    private static String targetName(ProposalView view, CallParameters parameters) {
        return parameters.target().isEmpty()
                ? String.valueOf(view.kind().method())
                : SafeText.word(parameters.target());
    }

    private static Json proposalJson(ProposalView view, Optional<String> params) {
        return ClientMessageFactory.jsonObject(json -> {
            json.writeStringProperty("id", view.id());
            json.writeStringProperty("from", view.proposer());
            json.writeStringProperty("method", view.kind().method());
            params.ifPresentOrElse(
                    paramsJson -> {
                        json.writeName("params");
                        json.writeRawValue(paramsJson);
                    },
                    () -> json.writeBooleanProperty("truncated", true));
            if (view.isEdited()) {
                json.writeBooleanProperty("edited", true);
            }
            if (view.redacted()) {
                json.writeBooleanProperty("redacted", true);
            }
            json.writeStringProperty("state", view.state().label());
            view.outcome().ifPresent(outcome -> json.writeStringProperty("outcome", outcome.label()));
            json.writeStringProperty("status", SafeText.line(view.guidance().status()));
            json.writeStringProperty("next", view.guidance().nextStep());
            json.writeStringProperty("expiresAt", view.expiresAt().toString());
            view.risk().ifPresent(risk -> risk.writeTo(json));
            if (params.isPresent()) {
                ProposedToolStatusJsonWriter.write(json, view.tools());
            }
        });
    }

    private CompletionStage<Json> withdraw(FacadeCaller caller, String proposal, Json arguments) {
        Map<String, String> payload = new LinkedHashMap<>();
        arguments.at("reason").asText().ifPresent(reason -> payload.put("reason", reason));
        return topicCalls
                .submit(
                        caller,
                        caller.withOnlyCapability("mcpx.withdraw.proposal"),
                        ProposalEnvelopeFactory.proposalUpdate(
                                topicCalls.newEnvelopeId('x'), "withdraw", List.of(proposal), payload))
                .thenApply(submitResult -> toToolResult(submitResult, "Withdrawn: " + proposal + "."));
    }

    private CompletionStage<Json> reject(FacadeCaller caller, String proposal, Json arguments) {
        Optional<String> reason = arguments.at("reason").asText();
        return reason.isEmpty()
                ? completedText("'reason' is missing. Pass a word or a sentence.", true)
                : topicCalls
                        .reviewerActions()
                        .reject(
                                topicCalls.topic(),
                                caller.member(),
                                caller.accessGrant(),
                                proposal,
                                reason.get(),
                                arguments.at("note").asText())
                        .thenApply(submitResult -> rejectionResult(submitResult, proposal));
    }

    private static Json rejectionResult(SubmitResult submitResult, String proposal) {
        return switch (submitResult) {
            case SubmitResult.Accepted accepted -> {
                RejectionEffect effect = accepted.rejectionEffects().getFirst();
                yield ClientMessageFactory.textToolResult(
                        effect.closed()
                                ? "Rejected: " + proposal + "."
                                : "Not rejected: " + proposal + ": " + effect.detail() + ".",
                        effect.ineffective(),
                        json -> {
                            json.writeObjectPropertyStart("structuredContent");
                            json.writeStringProperty("proposal", proposal);
                            json.writeBooleanProperty("closed", effect.closed());
                            json.writeStringProperty("detail", effect.detail());
                            json.writeEndObject();
                        });
            }
            case SubmitResult.Refused(var failures) -> textResult(RefusalResponseFactory.message(failures), true);
        };
    }

    private CompletionStage<Json> approve(FacadeCaller caller, String proposal, Json arguments) {
        Json newArguments = arguments.at("arguments");
        return topicCalls
                .reviewerActions()
                .approve(
                        topicCalls.topic(),
                        caller.member(),
                        caller.accessGrant(),
                        proposal,
                        newArguments.isPresent() ? Optional.of(newArguments) : Optional.empty(),
                        arguments.at("confirm").isTrue(),
                        arguments.at("to").asText(),
                        new ApprovalOptions(
                                arguments.at("unchecked").isTrue(),
                                arguments.at("definition").texts()))
                .thenApply(approvalResult -> switch (approvalResult) {
                    case ApprovalResult.Sent(String request, String runner, boolean editUnchecked, boolean held) ->
                        textResult(
                                "Approved: " + proposal + ". It runs on " + runner + " as request " + request
                                        + (held ? " when the disconnected caller calls again." : ".")
                                        + (editUnchecked
                                                ? " The new arguments were not checked, because " + runner
                                                        + " lists no schema for this tool."
                                                : ""),
                                false);
                    case ApprovalResult.RunnerChoiceRequired(List<String> couldRun, List<String> alternatives) ->
                        textResult(runnerChoiceText(couldRun, alternatives), true);
                    case ApprovalResult.ConfirmationRequired(CallRisk risk) ->
                        textResult(
                                "Nothing was approved: this call needs care."
                                        + (risk.toolChanged()
                                                ? " The definition of the tool changed: gavel_pending shows how."
                                                : "")
                                        + riskText(risk)
                                        + " Read all its arguments"
                                        + " and warnings. To approve it anyway, call gavel_approve again with"
                                        + " 'confirm': true.",
                                true);
                    case ApprovalResult.Refused(var failures) ->
                        textResult(RefusalResponseFactory.message(failures), true);
                    case ApprovalResult.InvalidArguments(String reason) -> textResult(reason, true);
                    case ApprovalResult.UnknownProposal() ->
                        textResult(
                                "No proposal has that id. To list the proposals that you can decide, call"
                                        + " gavel_pending.",
                                true);
                });
    }

    private static String runnerChoiceText(List<String> couldRun, List<String> alternatives) {
        if (!couldRun.isEmpty()) {
            return "Nothing was approved. Choose the participant that runs this call: set 'to' to "
                    + String.join(" or ", couldRun) + ".";
        }
        return alternatives.isEmpty()
                ? "Nothing was approved. No participant that can run this call is connected. Try again when one is."
                : "Nothing was approved. The participant that the call is addressed to cannot run it now. Try again"
                        + " later. To run the call on another participant, set 'to' to "
                        + String.join(" or ", alternatives) + ".";
    }

    private static Json toToolResult(SubmitResult submitResult, String text) {
        return switch (submitResult) {
            case SubmitResult.Accepted _ -> textResult(text, false);
            case SubmitResult.Refused(var failures) -> textResult(RefusalResponseFactory.message(failures), true);
        };
    }

    private static CompletionStage<Json> completedText(String text, boolean isError) {
        return CompletableFuture.completedStage(textResult(text, isError));
    }

    private static Json textResult(String text, boolean isError) {
        return ClientMessageFactory.textToolResult(text, isError, json -> {});
    }
}
