package dev.gavel.cli.proposal;

import dev.gavel.cli.ClientCommandContext;
import dev.gavel.cli.TokenSourcePolicy;
import dev.gavel.client.http.RemoteGatewayException;
import dev.gavel.client.http.RemotePostResult;
import dev.gavel.client.http.RemotePostResult.RejectionReport;
import dev.gavel.mcpx.text.SafeText;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The {@code gavel reject} command: rejects proposals with a reason. */
@Command(
        name = "reject",
        description = "Reject proposals, with a reason.",
        footer = {
            "  gavel reject main p-019a8f0c1d2e0102030405 --reason policy",
            "  gavel reject main p-019a8f0c1d2e0102030405 --reason unsafe --note 'not there'",
            "",
            "With the reasons busy, incapable and resource_limit, you abstain: other",
            "reviewers can still approve. Any other reason (policy, unsafe, disagree,",
            "inappropriate, duplicate, invalid, or your own text) is a veto. A veto closes",
            "the proposal if you could approve it or it was addressed to you, unless the",
            "topic has 'rejection: all'. If your veto does not count, the proposal stays",
            "open and the exit code is 1.",
        })
public final class RejectCommand extends AbstractProposalBatchCommand {
    @Parameters(index = "1..*", arity = "1..*", paramLabel = "ID", description = "The proposals' IDs.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private List<String> ids;

    @Option(names = "--reason", paramLabel = "REASON", required = true, description = "The reason, such as unsafe.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String reason;

    @Option(names = "--note", paramLabel = "TEXT", description = "A note to the proposer.")
    private @Nullable String note;

    @Override
    protected TokenSourcePolicy tokenPolicy() {
        return TokenSourcePolicy.LOGIN_REQUIRED;
    }

    @Override
    protected int run(ClientCommandContext clientCommandContext) throws RemoteGatewayException, InterruptedException {
        Map<String, String> payload = new LinkedHashMap<>(Map.of("reason", reason));
        if (note != null) {
            payload.put("note", note);
        }
        return sendForAll(clientCommandContext, "reject", RejectCommand::describe, ids, payload);
    }

    private static AcceptedProposal describe(String id, RemotePostResult answer) {
        RejectionReport report = answer.rejection(id);
        return new AcceptedProposal(
                id,
                report.closed() ? "rejected " + SafeText.line(id) : SafeText.line(id + ": " + report.detail()),
                Optional.of(report.closed()),
                report.detail(),
                !report.ineffective());
    }
}
