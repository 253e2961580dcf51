package dev.gavel.gateway.proposal;

import dev.gavel.gateway.tool.RecordedToolDefinition;
import dev.gavel.gateway.tool.ToolDefinition;
import dev.gavel.gateway.tool.ToolDefinition.FieldChange;
import dev.gavel.mcpx.text.SafeText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The definitions of an open proposal's tool at one participant that could run it: the current one, the one when the
 * call was proposed, and the baseline: the one that a person approved last, or else the one that was first called.
 *
 * @param loaded whether the participant's list of tools is known here. If it is not, it does not follow that the tool
 *     changed
 * @param outdated whether the participant reported a change of its tools and has not listed them since, so that its
 *     current definition is unknown
 * @param current the definition that the participant lists now; empty if the participant does not list the tool
 * @param proposed the definition when the call was proposed; empty if it was not known then
 * @param offeredLater whether the tool was known when the call was proposed, but only from other participants
 * @param baseline the definition that a person approved last in this topic; if no person did, the one with which a member
 *     first called the tool directly; empty if neither happened
 * @param baselineApproved whether a person approved the baseline
 */
public record ProposedToolStatus(
        String participant,
        String name,
        boolean loaded,
        boolean outdated,
        Optional<ToolDefinition> current,
        Optional<RecordedToolDefinition> proposed,
        boolean offeredLater,
        Optional<RecordedToolDefinition> baseline,
        boolean baselineApproved) {
    /** Whether it is known what the participant lists. */
    private boolean known() {
        return !outdated && (loaded || current.isPresent());
    }

    /** Whether an approval for the definition at the time of the proposal would be refused. */
    public boolean changedSinceProposal() {
        return known() && proposed.isPresent() && !isCurrent(proposed.get());
    }

    /** Whether the current definition was not known when the call was proposed. */
    public boolean knownSinceProposal() {
        return known() && proposed.isEmpty() && current.isPresent();
    }

    /** Whether an approval has to name the current definition. */
    public boolean mustBeNamed() {
        return changedSinceProposal() || knownSinceProposal();
    }

    /**
     * Whether the reviewer must look at the definition, because it is not the one that was proposed, or not the baseline.
     * An approval makes it the baseline, so that direct calls which the change has stopped are allowed again.
     */
    public boolean needsAttention() {
        return mustBeNamed() || changedSinceBaseline() || (offeredLater && current.isPresent());
    }

    /** Whether the tool is not as it was when a person last approved it, or else when it was first called. */
    public boolean changedSinceBaseline() {
        return known() && baseline.isPresent() && !isCurrent(baseline.get());
    }

    private boolean isCurrent(RecordedToolDefinition recorded) {
        return current.filter(recorded::matches).isPresent();
    }

    /** The digest by which an approval names the current definition; empty if it is not known. */
    public Optional<String> digest() {
        return known()
                ? Optional.of(current.map(ToolDefinition::digest).orElse(ToolDefinition.UNLISTED))
                : Optional.empty();
    }

    /** A word for programs: {@code changed}, {@code new}, {@code unlisted}, {@code listed} or {@code unknown}. */
    public String state() {
        if (!known()) {
            return "unknown";
        }
        if (mustBeNamed()) {
            return changedSinceProposal() ? "changed" : "new";
        }
        return current.isPresent() ? "listed" : "unlisted";
    }

    /**
     * The fields that changed since the call was proposed; all fields if the definition was not known then; empty if the
     * earlier definition is not stored.
     */
    public List<FieldChange> changesSinceProposal() {
        return proposed.isEmpty() ? current.map(ToolDefinition::asChanges).orElse(List.of()) : changes(proposed);
    }

    /** The fields in which the tool differs from the baseline; empty if that definition is not stored. */
    public List<FieldChange> changesSinceBaseline() {
        return changes(baseline);
    }

    /**
     * Returns all differences that a reviewer must see: from the definition when the call was proposed, and from the
     * baseline. A server can change its tool before the proposal and again after it, so neither of the two contains the
     * other. They are one difference if both earlier definitions are the same. A difference from a definition that is not
     * stored is missing; {@link #notes()} says so.
     */
    public List<ToolDefinitionDifference> differences() {
        List<ToolDefinitionDifference> differences = new ArrayList<>();
        List<FieldChange> sinceProposal = mustBeNamed() ? changesSinceProposal() : List.of();
        if (!sinceProposal.isEmpty()) {
            differences.add(new ToolDefinitionDifference(
                    knownSinceProposal() ? "The whole definition" : "Changes since the call was proposed",
                    sinceProposal));
        }
        List<FieldChange> sinceBaseline = changedSinceBaseline() ? changesSinceBaseline() : List.of();
        if (!sinceBaseline.isEmpty() && !sinceBaseline.equals(sinceProposal)) {
            differences.add(new ToolDefinitionDifference(
                    "Changes since a call of the tool was "
                            + (baselineApproved ? "last approved" : "first made without approval"),
                    sinceBaseline));
        }
        return differences;
    }

    /**
     * Returns what a reviewer should know about the definition, as sentences; empty if the tool is as it was when the
     * call was proposed, and as its baseline.
     */
    public List<String> notes() {
        List<String> notes = new ArrayList<>();
        String where = SafeText.line(participant);
        if (outdated) {
            notes.add(where + " reported that its tools changed, and has not listed them since.");
        } else if (!known()) {
            notes.add("The tools of " + where + " are not known at this gateway yet.");
        } else if (current.isEmpty()) {
            notes.add(
                    proposed.isPresent()
                            ? where + " does not list this tool any more."
                            : where + " does not list this tool, so nothing is known about it.");
        } else if (offeredLater) {
            notes.add("When the call was proposed, only other participants were known to offer this tool, not " + where
                    + ".");
        } else if (knownSinceProposal()) {
            notes.add("The gateway did not know the definition of this tool on " + where
                    + " when the call was proposed.");
        } else if (changedSinceProposal()) {
            notes.add("The definition of this tool on " + where + " changed since the call was proposed"
                    + fields(changesSinceProposal()));
        }
        if (current.isPresent() && changedSinceBaseline()) {
            notes.add("The definition of this tool on " + where + " changed since a call of it was "
                    + (baselineApproved ? "last approved" : "first made without approval")
                    + fields(changesSinceBaseline()));
        }
        return notes;
    }

    private static String fields(List<FieldChange> changes) {
        return changes.isEmpty()
                ? ". The earlier definition is too long to be stored, so the difference cannot be shown."
                : changes.stream().map(FieldChange::field).collect(Collectors.joining(", ", " (", ")."));
    }

    private List<FieldChange> changes(Optional<RecordedToolDefinition> earlier) {
        return earlier.flatMap(RecordedToolDefinition::definition)
                .flatMap(before -> current.map(before::changesTo))
                .orElse(List.of());
    }
}
