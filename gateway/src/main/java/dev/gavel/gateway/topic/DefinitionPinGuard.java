package dev.gavel.gateway.topic;

import dev.gavel.gateway.store.ToolBaselineStore;
import dev.gavel.gateway.store.ToolBaselineStore.ToolBaseline;
import dev.gavel.gateway.tool.DefinitionPin;
import dev.gavel.gateway.tool.ToolDefinition;
import dev.gavel.gateway.tool.ToolListState;
import dev.gavel.gateway.tool.TopicTools;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeErrorCode;
import dev.gavel.mcpx.KindCategory;
import dev.gavel.mcpx.text.SafeText;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies the setting {@code pin} of a bridge to calls that need no approval. If the definition of the tool has changed
 * since a person last approved it, or since the first call if no person approved it yet, the setting determines whether
 * the call runs, needs approval or is refused. An unknown definition counts as changed. Thread-safe.
 *
 * <p>The gateway's list of tools can be outdated. So with {@code ask} and {@code block}, the bridge checks a call again
 * with the server's current list right before it runs ({@link #verifiesAtRun}).
 *
 * @param pins the participants whose tools are compared
 * @param warned the digests that were logged, so that each change is logged once
 */
record DefinitionPinGuard(
        String topic,
        Map<String, DefinitionPin> pins,
        TopicTools tools,
        ToolBaselineStore baselines,
        Set<String> warned) {
    private static final Logger log = LoggerFactory.getLogger(DefinitionPinGuard.class);

    private static final int MAX_WARNED = 10_000;

    DefinitionPinGuard(String topic, Map<String, DefinitionPin> pins, TopicTools tools, ToolBaselineStore baselines) {
        this(topic, Map.copyOf(pins), tools, baselines, ConcurrentHashMap.newKeySet());
    }

    /** Why a call is stopped. */
    record StoppedCall(EnvelopeErrorCode code, String message) {}

    /** Checks an envelope that no proposal is about. Costs some map lookups for calls of tools, and else nothing. */
    Optional<StoppedCall> check(Envelope envelope, Collection<String> recipients) {
        if (pins.isEmpty() || envelope.category() != KindCategory.REQUEST) {
            return Optional.empty();
        }
        return TopicTools.toolOf(envelope.kindWithContext())
                .flatMap(tool -> recipients.stream()
                        .flatMap(recipient -> check(recipient, tool).stream())
                        .findFirst());
    }

    /** Checks a call of a participant's tool with the gateway's list of tools. */
    Optional<StoppedCall> check(String participant, String tool) {
        DefinitionPin pin = pins.get(participant);
        if (pin == null) {
            return Optional.empty();
        }
        Optional<ToolDefinition> current = tools.find(participant, tool);
        return switch (pin == DefinitionPin.WARN ? ToolListState.CURRENT : tools.listState(participant)) {
            case CURRENT -> check(pin, participant, tool, current);
            // The bridge decides, with the list that it is fetching. Only a change that is known already stops the
            // call.
            case REFETCHING ->
                current.isPresent() && baselines.find(participant, tool).isPresent()
                        ? check(pin, participant, tool, current)
                        : Optional.empty();
            case OVERDUE ->
                Optional.of(stop(
                        pin,
                        SafeText.line(participant) + " reported that its tools changed and has not listed them since,"
                                + " so the definition of " + SafeText.line(tool) + " is unknown"));
        };
    }

    /**
     * Whether direct calls of a participant's tool need approval or are refused now, because its definition is not the
     * approved one. Records nothing.
     */
    boolean stopsDirectCalls(String participant, String tool) {
        if (!verifiesAtRun(participant)) {
            return false;
        }
        Optional<ToolDefinition> current = tools.find(participant, tool);
        return tools.listState(participant) != ToolListState.CURRENT
                || baselines
                        .find(participant, tool)
                        .map(baseline ->
                                current.filter(baseline.definition()::matches).isEmpty())
                        .orElse(current.isEmpty());
    }

    /** Whether direct calls of a participant's tools are checked again when they run. */
    boolean verifiesAtRun(String participant) {
        return pins.getOrDefault(participant, DefinitionPin.WARN) != DefinitionPin.WARN;
    }

    /**
     * Checks a call of a participant's tool with the definition that the participant lists when the call runs.
     *
     * @param current empty if the participant does not list the tool
     */
    Optional<StoppedCall> checkAtRun(String participant, String tool, Optional<ToolDefinition> current) {
        return check(pins.getOrDefault(participant, DefinitionPin.WARN), participant, tool, current);
    }

    private Optional<StoppedCall> check(
            DefinitionPin pin, String participant, String tool, Optional<ToolDefinition> current) {
        Optional<ToolBaseline> baseline = baselines.find(participant, tool);
        if (baseline.isEmpty()) {
            current.ifPresent(baselines::recordFirstUse);
            return current.isPresent() || pin == DefinitionPin.WARN
                    ? Optional.empty()
                    : Optional.of(stop(
                            pin,
                            SafeText.line(participant) + " does not list the tool " + SafeText.line(tool)
                                    + ", so its definition is unknown"));
        }
        if (current.filter(baseline.get().definition()::matches).isPresent()) {
            return Optional.empty();
        }
        warn(participant, tool, baseline.get(), current);
        return pin == DefinitionPin.WARN
                ? Optional.empty()
                : Optional.of(stop(
                        pin,
                        "The definition of " + SafeText.line(tool) + " on " + SafeText.line(participant)
                                + " changed since it was last approved or first called"));
    }

    private static StoppedCall stop(DefinitionPin pin, String reason) {
        return pin == DefinitionPin.ASK
                ? new StoppedCall(
                        EnvelopeErrorCode.APPROVAL_REQUIRED,
                        reason + ", so the call needs approval. Propose it: send mcp.proposal.tools/call.")
                : new StoppedCall(
                        EnvelopeErrorCode.DEFINITION_CHANGED,
                        reason + ", so the call is refused. To allow it again, a reviewer must approve a proposal that"
                                + " calls this tool.");
    }

    private void warn(String participant, String tool, ToolBaseline baseline, Optional<ToolDefinition> current) {
        String digest = current.map(ToolDefinition::digest).orElse(ToolDefinition.UNLISTED);
        if (warned.size() < MAX_WARNED && warned.add(participant + "/" + tool + " " + digest)) {
            log.atWarn()
                    .addKeyValue("topic", topic)
                    .addKeyValue("participant", participant)
                    .addKeyValue("tool", tool)
                    .addKeyValue("before", baseline.definition().digest())
                    .addKeyValue("now", digest)
                    .log(
                            "The definition of the tool '{}' of '{}' changed since it was {}.",
                            SafeText.line(tool),
                            participant,
                            baseline.approved() ? "last approved" : "first called");
        }
    }
}
