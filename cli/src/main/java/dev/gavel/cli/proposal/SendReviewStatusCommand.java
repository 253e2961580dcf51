package dev.gavel.cli.proposal;

import dev.gavel.cli.ClientCommandContext;
import dev.gavel.cli.CommandException;
import dev.gavel.cli.ExitCode;
import dev.gavel.cli.TokenSourcePolicy;
import dev.gavel.client.http.RemoteGatewayException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * The {@code gavel status} command: tells proposers how far the review of their proposals is, for example {@code
 * considering}.
 */
@Command(
        name = "status",
        description = "Send the proposer a review status, such as 'considering'.",
        footer = "  gavel status main p-019a8f0c1d2e0102030405 considering --note 'asking Bob'")
public final class SendReviewStatusCommand extends AbstractProposalBatchCommand {
    private static final List<String> STATUSES = List.of("considering", "queued", "processing", "unable");

    @Parameters(
            index = "1..*",
            arity = "1..*",
            paramLabel = "ID... STATUS",
            hideParamSyntax = true,
            description = "The proposals' IDs, then the status: considering, queued, processing or unable.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private List<String> idsAndStatus;

    @Option(names = "--note", paramLabel = "TEXT", description = "A note to the proposer.")
    private @Nullable String note;

    @Override
    protected TokenSourcePolicy tokenPolicy() {
        return TokenSourcePolicy.LOGIN_REQUIRED;
    }

    @Override
    protected void validate() {
        super.validate();
        if (idsAndStatus.size() < 2) {
            throw new CommandException(
                    ExitCode.USAGE,
                    STATUSES.contains(idsAndStatus.getFirst())
                            ? "missing ID. Name the proposals before the status."
                            : "missing STATUS. Use considering, queued, processing or unable.");
        }
    }

    @Override
    protected int run(ClientCommandContext clientCommandContext) throws RemoteGatewayException, InterruptedException {
        String status = requireOneOf(STATUSES, idsAndStatus.getLast(), "status");
        Map<String, String> payload = new LinkedHashMap<>(Map.of("status", status));
        if (note != null) {
            payload.put("note", note);
        }
        return sendForAll(
                clientCommandContext,
                "status",
                (id, answer) -> AcceptedProposal.of(id, status + ":"),
                idsAndStatus.subList(0, idsAndStatus.size() - 1),
                payload);
    }
}
