package dev.gavel.web.console.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.gateway.proposal.MemberNames;
import dev.gavel.gateway.proposal.ProposalState;
import dev.gavel.gateway.proposal.ProposalView;
import dev.gavel.gateway.proposal.ProposedToolStatus;
import dev.gavel.gateway.tool.RecordedToolDefinition;
import dev.gavel.gateway.tool.ToolDefinition;
import dev.gavel.lifecycle.result.LifecycleGuidance;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.RawPayload;
import dev.gavel.mcpx.json.Json;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests how a proposal's card shows that a tool's definition changed. */
class ToolDefinitionNoticeTest {
    private static ToolDefinition definition(String description) {
        return ToolDefinition.of("notes", "read", Json.object().with("description", Json.ofText(description)));
    }

    private static Optional<RecordedToolDefinition> recorded(String description) {
        return Optional.of(RecordedToolDefinition.of(definition(description)));
    }

    private static ProposalView view(ProposedToolStatus tool) {
        RawPayload payload = RawPayload.of("{}".getBytes(StandardCharsets.UTF_8));
        return new ProposalView(
                "p-1",
                "agent",
                List.of(),
                Kind.of("mcp.proposal.tools/call:read"),
                payload,
                ProposalState.OPEN,
                Optional.empty(),
                List.of(),
                Instant.EPOCH,
                List.of("notes"),
                List.of(),
                List.of(tool),
                Optional.empty(),
                new LifecycleGuidance(
                        "open", "waits", Instant.EPOCH, List.of(), List.of(), "decide", List.of(), Optional.empty()),
                List.of(),
                MemberNames.IDS,
                payload,
                false,
                false);
    }

    @Test
    void aSmallChangeAfterTheProposalDoesNotHideTheChangeSinceTheBaseline() {
        ToolDefinitionNotice notice = ToolDefinitionNotice.of(view(new ProposedToolStatus(
                "notes",
                "read",
                true,
                false,
                Optional.of(definition("Deletes everything!")),
                recorded("Deletes everything."),
                false,
                recorded("Reads a note."),
                false)));

        assertThat(notice.differences())
                .extracting(
                        difference -> difference.heading() + difference.diff().changes())
                .satisfiesExactly(
                        first -> assertThat(first).contains("since the call was proposed", "Deletes everything."),
                        second -> assertThat(second).contains("without approval", "Reads a note."));
    }
}
