package dev.gavel.gateway.topic;

import dev.gavel.gateway.store.ToolBaselineStore;
import dev.gavel.gateway.store.ToolBaselineStore.ToolBaseline;
import dev.gavel.gateway.tool.DefinitionPin;
import dev.gavel.gateway.tool.ToolDefinition;
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
 * the call runs, needs approval or is refused. Thread-safe.
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

    /** Checks a call of a participant's tool. */
    Optional<StoppedCall> check(String participant, String tool) {
        return switch (changedPin(participant, tool).orElse(DefinitionPin.WARN)) {
            case WARN -> Optional.empty();
            case ASK ->
                Optional.of(new StoppedCall(
                        EnvelopeErrorCode.APPROVAL_REQUIRED,
                        "The definition of " + describe(participant, tool) + " changed since it was last approved or"
                                + " first called, so the call needs approval. Propose it: send"
                                + " mcp.proposal.tools/call."));
            case BLOCK ->
                Optional.of(new StoppedCall(
                        EnvelopeErrorCode.DEFINITION_CHANGED,
                        "The definition of " + describe(participant, tool) + " changed since it was last approved or"
                                + " first called, so the call is refused. To allow it again, a reviewer must approve a"
                                + " proposal that calls this tool."));
        };
    }

    private static String describe(String participant, String tool) {
        return SafeText.line(tool) + " on " + SafeText.line(participant);
    }

    private Optional<DefinitionPin> changedPin(String participant, String tool) {
        DefinitionPin pin = pins.get(participant);
        if (pin == null) {
            return Optional.empty();
        }
        Optional<ToolDefinition> current = tools.find(participant, tool);
        Optional<ToolBaseline> baseline = baselines.find(participant, tool);
        if (baseline.isEmpty()) {
            current.ifPresent(baselines::recordFirstUse);
            return Optional.empty();
        }
        if (current.filter(baseline.get().definition()::matches).isPresent()) {
            return Optional.empty();
        }
        String digest = current.map(ToolDefinition::digest).orElse(ToolDefinition.UNLISTED);
        if (warned.size() < MAX_WARNED && warned.add(participant + "/" + tool + " " + digest)) {
            log.atWarn()
                    .addKeyValue("topic", topic)
                    .addKeyValue("participant", participant)
                    .addKeyValue("tool", tool)
                    .addKeyValue("before", baseline.get().definition().digest())
                    .addKeyValue("now", digest)
                    .log(
                            "The definition of the tool '{}' of '{}' changed since it was {}.",
                            SafeText.line(tool),
                            participant,
                            baseline.get().approved() ? "last approved" : "first called");
        }
        return Optional.of(pin);
    }
}
