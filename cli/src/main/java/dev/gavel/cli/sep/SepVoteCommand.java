package dev.gavel.cli.sep;

import dev.gavel.cli.ClientCommandContext;
import dev.gavel.cli.CommandException;
import dev.gavel.cli.ExitCode;
import dev.gavel.sep.service.SepOperation;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The {@code gavel sep vote} command: votes on a SEP or raises a concern. */
@Command(
        name = "vote",
        description = "Vote on a proposal, or raise a concern.",
        footer = {
            "  gavel sep vote 1286 yes",
            "  gavel sep vote 1286 concern --reason 'old clients would hang'",
            "  gavel sep vote 1286 yes --document 3f2a9c1b70d4",
        })
final class SepVoteCommand extends SingleSepCommand {
    private static final List<String> BALLOTS = List.of("yes", "no", "abstain", "concern", "recuse");

    @Parameters(
            index = "1",
            paramLabel = "yes|no|abstain|concern|recuse",
            description = "Your vote. With recuse, you take no part, and the quorum is counted without you.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String ballot;

    @Option(names = "--reason", paramLabel = "REASON", description = "Reason. Required for a concern.")
    private @Nullable String reason;

    @Option(
            names = "--document",
            paramLabel = "HASH",
            description = "Hash of the document that you read. If it has changed, the vote is refused.")
    private @Nullable String document;

    SepVoteCommand() {
        super(SepOperation.VOTE);
    }

    @Override
    protected void validate() {
        requireOneOf(BALLOTS, ballot, "vote");
        if (ballot.equals("concern") && reason == null) {
            throw new CommandException(ExitCode.USAGE, "a concern needs a reason: add --reason REASON");
        }
    }

    @Override
    SepApiRequest withArguments(SepApiRequest sepApiRequest, ClientCommandContext clientCommandContext) {
        return sepApiRequest.with("ballot", ballot).with("reason", reason).with("document", document);
    }
}
