package dev.gavel.cli.proposal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcpx.json.Json;
import org.junit.jupiter.api.Test;

/** Tests how the command line shows that a tool's definition changed. */
class ToolDefinitionChangeFormatterTest {
    private static String print(String before, String after) {
        Json change = Json.object()
                .with("field", Json.ofText("description"))
                .with("before", Json.ofText(before))
                .with("after", Json.ofText(after));
        Json tool = Json.parse("{\"notes\":[\"It changed.\"],\"changes\":[" + change.raw() + "]}")
                .orElseThrow();
        return String.join(
                "\n",
                new ToolDefinitionChangeFormatter(
                                Json.parse("[" + tool.raw() + "]").orElseThrow())
                        .changes());
    }

    @Test
    void aDefinitionThatBecameKnownLaterIsShownWithHowToApproveIt() {
        Json tools = Json.parse("[{\"state\":\"new\",\"digest\":\"sha256:12\",\"notes\":[\"It was not known.\"],"
                        + "\"changes\":[{\"field\":\"description\",\"after\":\"Deletes the account.\"}]}]")
                .orElseThrow();
        assertThat(new ToolDefinitionChangeFormatter(tools).lines(digest -> "approve " + digest))
                .containsExactly("It was not known.\n+ description: \"Deletes the account.\"\n"
                        + "To approve it for the current definition: approve sha256:12");
    }

    @Test
    void aSmallChangeAfterTheProposalDoesNotHideTheChangeSinceTheBaseline() {
        Json tools = Json.parse("[{\"state\":\"changed\",\"digest\":\"sha256:12\",\"notes\":[\"It changed.\"],"
                        + "\"changes\":[{\"field\":\"description\",\"before\":\"Deletes.\",\"after\":\"Deletes!\"}],"
                        + "\"changesSinceApproval\":[{\"field\":\"description\",\"before\":\"Reads.\","
                        + "\"after\":\"Deletes!\"}]}]")
                .orElseThrow();
        assertThat(new ToolDefinitionChangeFormatter(tools).changes())
                .containsExactly("It changed.\nChanges since the call was proposed:\n- description: \"Deletes.\"\n"
                        + "+ description: \"Deletes!\"\nChanges since a call of the tool was last approved, or first made"
                        + " without approval:\n- description: \"Reads.\"\n+ description: \"Deletes!\"");
    }

    @Test
    void shortValuesAreShownInFull() {
        assertThat(print("Reads a file.", "Reads any file."))
                .isEqualTo("It changed.\n- description: \"Reads a file.\"\n+ description: \"Reads any file.\"");
    }

    @Test
    void aChangeInALongTextIsShownWhereverItIs() {
        String filler = "x".repeat(5_000);
        assertThat(print(filler, filler + " and deletes it")).contains("and deletes it");
        assertThat(print(filler + filler, filler + " and deletes it " + filler)).contains("and deletes it");
        assertThat(print("Reads.", "Reads" + filler + " and deletes it"))
                .contains("Reads", "characters not shown", "and deletes it");
    }
}
