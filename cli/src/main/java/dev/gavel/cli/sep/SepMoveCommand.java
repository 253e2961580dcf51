package dev.gavel.cli.sep;

import dev.gavel.cli.ClientCommandContext;
import dev.gavel.sep.service.SepOperation;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The {@code gavel sep move} command: moves a SEP to another state. */
@Command(
        name = "move",
        description = "Move a proposal to another state.",
        footer = {
            "  gavel sep explain 1286 prototyping",
            "  gavel sep move 1286 prototyping --evidence prototype=https://example.org/code",
            "  gavel sep move 1286 deferred --reason 'after 2.0' --revisit 2027-01-31",
            "",
            "If the move is refused, the message lists who can make it and what is missing.",
        })
final class SepMoveCommand extends SingleSepCommand {
    @Parameters(index = "1", paramLabel = "STATE", description = "Target state.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String state;

    @Option(
            names = "--evidence",
            paramLabel = "KIND=VALUE",
            description = "Evidence that the move requires. Can be repeated.")
    private List<String> evidence = new ArrayList<>();

    @Option(names = "--reason", paramLabel = "REASON", description = "Reason. Some moves require it.")
    private @Nullable String reason;

    @Option(
            names = "--revisit",
            paramLabel = "DATE",
            description = "Date to revisit a deferred proposal, such as 2027-01-31.")
    private @Nullable String revisit;

    @Option(
            names = "--trigger",
            paramLabel = "TRIGGER",
            description = "Event that triggers a new review of a deferred proposal.")
    private @Nullable String trigger;

    @Option(
            names = "--document",
            paramLabel = "HASH",
            description = "Hash of the document that you read. If it has changed, the move is refused.")
    private @Nullable String document;

    SepMoveCommand() {
        super(SepOperation.MOVE);
    }

    @Override
    SepApiRequest withArguments(SepApiRequest sepApiRequest, ClientCommandContext clientCommandContext) {
        return sepApiRequest
                .with("to", state)
                .with("evidence", EvidenceArgumentParser.parse(evidence))
                .with("reason", reason)
                .with("revisit", revisit)
                .with("trigger", trigger)
                .with("document", document);
    }
}
