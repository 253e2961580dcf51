package dev.gavel.gateway.proposal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.gateway.tool.RecordedToolDefinition;
import dev.gavel.gateway.tool.ToolDefinition;
import dev.gavel.mcpx.json.Json;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests which differences of a tool's definition a reviewer sees. */
class ProposedToolStatusTest {
    private static ToolDefinition definition(String description) {
        return ToolDefinition.of("notes", "read", Json.object().with("description", Json.ofText(description)));
    }

    private static Optional<RecordedToolDefinition> recorded(String description) {
        return description.isEmpty()
                ? Optional.empty()
                : Optional.of(RecordedToolDefinition.of(definition(description)));
    }

    /** Returns the differences if the definition had these descriptions; an empty one stands for an unknown definition. */
    private static List<String> differences(String current, String proposed, String baseline, boolean approved) {
        return new ProposedToolStatus(
                        "notes",
                        "read",
                        true,
                        false,
                        Optional.of(definition(current)),
                        recorded(proposed),
                        false,
                        recorded(baseline),
                        approved)
                .differences().stream()
                        .map(difference -> difference.heading() + ": "
                                + difference.changes().getFirst().before().text() + " > "
                                + difference.changes().getFirst().after().text())
                        .toList();
    }

    @Test
    void aSmallChangeAfterTheProposalDoesNotHideTheChangeSinceTheBaseline() {
        assertThat(differences("Deletes everything!", "Deletes everything.", "Reads a note.", false))
                .containsExactly(
                        "Changes since the call was proposed: Deletes everything. > Deletes everything!",
                        "Changes since a call of the tool was first made without approval: Reads a note. > Deletes"
                                + " everything!");
    }

    @Test
    void aDefinitionThatWasNotKnownWhenItWasProposedIsComparedWithTheBaselineAsWell() {
        assertThat(differences("Deletes everything.", "", "Reads a note.", true))
                .containsExactly(
                        "The whole definition:  > Deletes everything.",
                        "Changes since a call of the tool was last approved: Reads a note. > Deletes everything.");
    }

    @Test
    void theSameDifferenceIsListedOnce() {
        assertThat(differences("Deletes.", "Reads.", "Reads.", true))
                .containsExactly("Changes since the call was proposed: Reads. > Deletes.");
        assertThat(differences("Deletes.", "Deletes.", "Reads.", true))
                .containsExactly("Changes since a call of the tool was last approved: Reads. > Deletes.");
        assertThat(differences("Reads.", "Reads.", "Reads.", true)).isEmpty();
    }
}
