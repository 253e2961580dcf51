package dev.gavel.gateway.proposal;

import dev.gavel.gateway.tool.ToolDefinition.FieldChange;
import java.util.List;

/**
 * The difference between an earlier definition of a proposal's tool and its current one. Immutable.
 *
 * @param heading says since when the definition changed, without a final colon
 * @param changes the fields that changed
 */
public record ToolDefinitionDifference(String heading, List<FieldChange> changes) {
    public ToolDefinitionDifference {
        changes = List.copyOf(changes);
    }
}
