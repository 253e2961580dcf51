package dev.gavel.gateway.proposal;

import dev.gavel.gateway.tool.ToolDefinition;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.proposal.CallParameters;
import dev.gavel.mcpx.text.SafeText;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Assesses how carefully a reviewer must read a proposed call. Stateless. */
public final class CallRiskAssessor {
    /** Methods that only read, by the definition of MCP. */
    private static final Set<String> READING_METHODS = Set.of(
            "prompts/get",
            "prompts/list",
            "resources/read",
            "resources/list",
            "resources/templates/list",
            "tools/list",
            "completion/complete",
            "ping");

    /**
     * The annotation of a tool that records who calls it. A participant that sets it only makes reviewers more careful,
     * so every participant may.
     */
    public static final String CALLER_IDENTITY_HINT = "callerIdentityHint";

    private static final String IN_REVIEWERS_NAME =
            "If you approve this call, it is made in your name: it will be recorded as your vote, your comment, your"
                    + " document or your decision, not as the proposer's.";

    private static final int MAX_NAME_LENGTH = 60;

    private CallRiskAssessor() {}

    /**
     * Assesses a call.
     *
     * @param params the parameters with their secret values
     * @param shownParams the parameters as they are shown, with markers in place of the secret values
     * @param definitions the tool as each participant that can run the call defines it; none if no participant lists it
     */
    public static CallRisk assess(
            Kind kind, Json params, Json shownParams, String proposal, List<ToolDefinition> definitions) {
        String method = String.valueOf(kind.method());
        boolean tool = method.equals("tools/call");
        CallEffect effect = tool
                ? definitions.stream()
                        .map(CallRiskAssessor::effect)
                        // The reviewer may choose any of these participants, so the worst claim counts.
                        .max(CallEffect::compareTo)
                        .orElse(CallEffect.UNKNOWN)
                : READING_METHODS.contains(method) ? CallEffect.READ_ONLY : CallEffect.UNKNOWN;
        String effectText = tool ? toolText(effect, definitions) : methodText(effect, method);
        boolean inReviewersName = definitions.stream()
                .anyMatch(definition ->
                        definition.annotations().at(CALLER_IDENTITY_HINT).isTrue());
        return reassess(
                new CallRisk(effect, effectText, inReviewersName, List.of(), 0, false),
                method,
                params,
                shownParams,
                proposal);
    }

    /** Assesses the same call with other parameters, without what markers in them stand for. */
    public static CallRisk reassess(CallRisk risk, String method, Json params, String proposal) {
        return reassess(risk, method, params, params, proposal);
    }

    private static CallRisk reassess(CallRisk risk, String method, Json params, Json shownParams, String proposal) {
        ArgumentWarningFinder.Warnings warnings = ArgumentWarningFinder.find(
                CallParameters.ofMethod(method, params, proposal),
                CallParameters.ofMethod(method, shownParams, proposal),
                risk.effect() != CallEffect.READ_ONLY);
        List<String> texts = new ArrayList<>(risk.inReviewersName() ? List.of(IN_REVIEWERS_NAME) : List.of());
        if (method.startsWith("resources/") && params.at("name").isPresent()) {
            texts.add("The call has a parameter \"name\", but " + SafeText.brief(method, MAX_NAME_LENGTH)
                    + " uses only the URI");
        }
        texts.addAll(warnings.texts());
        return new CallRisk(
                        risk.effect(),
                        risk.effectText(),
                        risk.inReviewersName(),
                        texts,
                        warnings.omitted(),
                        risk.toolChanged())
                .withContextWarnings(risk.contextWarnings());
    }

    private static String toolText(CallEffect effect, List<ToolDefinition> definitions) {
        List<ToolDefinition> deciding = definitions.stream()
                .filter(definition -> effect(definition) == effect)
                .toList();
        String participants = deciding.stream()
                .map(definition -> SafeText.brief(definition.participant(), MAX_NAME_LENGTH))
                .collect(Collectors.joining(" and "));
        boolean several = deciding.size() > 1;
        return switch (effect) {
            case READ_ONLY -> participants + (several ? " claim" : " claims") + " that this tool changes nothing.";
            case ADDITIVE ->
                participants + (several ? " claim" : " claims")
                        + " that this tool makes changes but deletes or overwrites nothing.";
            case DESTRUCTIVE ->
                deciding.stream().anyMatch(CallRiskAssessor::saysDestructive)
                        ? participants + (several ? " say" : " says") + " that this tool can delete or overwrite data."
                        : participants + (several ? " do" : " does")
                                + " not say what this tool can do, so assume that it can delete or overwrite data.";
            case UNKNOWN -> "No connected participant lists this tool, so what it does is unknown.";
        };
    }

    private static CallEffect effect(ToolDefinition definition) {
        return CallEffect.ofAnnotations(definition.annotations());
    }

    private static boolean saysDestructive(ToolDefinition definition) {
        return definition.annotations().at("destructiveHint").isTrue();
    }

    private static String methodText(CallEffect effect, String method) {
        return effect == CallEffect.READ_ONLY
                ? "By the definition of MCP, " + method + " only reads."
                : "What " + SafeText.brief(method, MAX_NAME_LENGTH) + " does is unknown.";
    }
}
