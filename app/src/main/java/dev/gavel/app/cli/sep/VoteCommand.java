package dev.gavel.app.cli.sep;

import dev.gavel.app.cli.Client;
import dev.gavel.app.cli.Complaint;
import dev.gavel.app.cli.ExitCode;
import dev.gavel.sep.desk.Verb;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Votes. */
@Command(
        name = "vote",
        description = "Vote on a SEP, or raise a concern.",
        footer = {
            "  gavel sep vote 1286 yes",
            "  gavel sep vote 1286 concern --reason 'old clients would hang'",
        })
final class VoteCommand extends AboutOneCommand {
    private static final List<String> BALLOTS = List.of("yes", "no", "abstain", "concern");

    @Parameters(index = "1", paramLabel = "yes|no|abstain|concern", description = "What you vote, or raise.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String ballot;

    @Option(names = "--reason", paramLabel = "REASON", description = "Why; a concern needs one.")
    private @Nullable String reason;

    VoteCommand() {
        super(Verb.VOTE);
    }

    @Override
    protected void check() {
        oneOf(BALLOTS, ballot, "vote");
        if (ballot.equals("concern") && reason == null) {
            throw new Complaint(ExitCode.USAGE, "a concern needs a reason: add --reason REASON");
        }
    }

    @Override
    Asking filled(Asking asking, Client client) {
        return asking.with("ballot", ballot).with("reason", reason);
    }
}
