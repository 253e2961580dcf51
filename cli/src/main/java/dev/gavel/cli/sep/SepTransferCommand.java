package dev.gavel.cli.sep;

import dev.gavel.cli.ClientCommandContext;
import dev.gavel.sep.service.SepOperation;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The {@code gavel sep transfer} command: transfers a SEP to another author. */
@Command(
        name = "transfer",
        description = "Make another person an author of your proposal. You stay an author.",
        footer = {
            "  gavel sep transfer 1286 bob",
            "  gavel sep transfer 1286 bob --leave    and stop being an author yourself",
        })
final class SepTransferCommand extends SingleSepCommand {
    @Parameters(index = "1", paramLabel = "PERSON", description = "New author: a name or a handle.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String person;

    @Option(names = "--leave", description = "Stop being an author of this proposal.")
    private boolean leave;

    @Option(names = "--role", paramLabel = "ROLE", description = "Role to transfer. Default: the author role.")
    private @Nullable String role;

    SepTransferCommand() {
        super(SepOperation.TRANSFER);
    }

    @Override
    SepApiRequest withArguments(SepApiRequest sepApiRequest, ClientCommandContext clientCommandContext) {
        return sepApiRequest.with("to", person).with("leave", leave).with("role", role);
    }
}
