package dev.gavel.gateway.proposal;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JsonGenerator;

/**
 * The risk assessment of a proposed call: what the call can do, and warnings about parameters that a reviewer could
 * overlook. The gateway assesses a call once, so that the console, the command line and the MCP tools show the same.
 * All texts are sanitized for display. Immutable.
 *
 * @param effect what the call can do
 * @param effectText a sentence that says so and names who claims it
 * @param inReviewersName whether the call takes effect in the name of the reviewer who approves it, such as a vote
 * @param warnings what the reviewer must read twice
 * @param omittedWarnings the number of further warnings
 * @param toolChanged whether the tool's definition is not the one that was proposed, last approved or first called
 * @param contextWarnings those of the warnings that are not about parameters: they stay if the reviewer edits these
 */
public record CallRisk(
        CallEffect effect,
        String effectText,
        boolean inReviewersName,
        List<String> warnings,
        int omittedWarnings,
        boolean toolChanged,
        List<String> contextWarnings) {
    public CallRisk {
        warnings = List.copyOf(warnings);
        contextWarnings = List.copyOf(contextWarnings);
    }

    /** Creates an assessment whose warnings are all about parameters. */
    public CallRisk(
            CallEffect effect,
            String effectText,
            boolean inReviewersName,
            List<String> warnings,
            int omittedWarnings,
            boolean toolChanged) {
        this(effect, effectText, inReviewersName, warnings, omittedWarnings, toolChanged, List.of());
    }

    /** Returns the assessment with warnings that are not about parameters, before the others. */
    CallRisk withContextWarnings(List<String> added) {
        List<String> all = new ArrayList<>(added);
        all.addAll(warnings);
        List<String> context = new ArrayList<>(added);
        context.addAll(contextWarnings);
        return new CallRisk(effect, effectText, inReviewersName, all, omittedWarnings, toolChanged, context);
    }

    /** Returns the assessment for a tool in this status at the participants that could run the call. */
    CallRisk withTools(List<ProposedToolStatus> tools) {
        return new CallRisk(
                effect,
                effectText,
                inReviewersName,
                warnings,
                omittedWarnings,
                tools.stream().anyMatch(ProposedToolStatus::needsAttention),
                contextWarnings);
    }

    /** Whether the reviewer has to confirm the approval in a second step. */
    public boolean careful() {
        return effect == CallEffect.DESTRUCTIVE || effect == CallEffect.UNKNOWN || toolChanged || !warnings.isEmpty();
    }

    /** Writes the property {@code review} of a proposal's JSON. */
    public void writeTo(JsonGenerator json) {
        json.writeObjectPropertyStart("review");
        json.writeBooleanProperty("careful", careful());
        json.writeStringProperty("effect", effect.label());
        json.writeStringProperty("effectText", effectText);
        ProposalEventCodec.writeTexts(json, "warnings", warnings);
        if (omittedWarnings > 0) {
            json.writeNumberProperty("moreWarnings", omittedWarnings);
        }
        json.writeEndObject();
    }
}
