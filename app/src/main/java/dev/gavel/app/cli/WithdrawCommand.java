package dev.gavel.app.cli;

import dev.gavel.client.http.RemoteException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Withdraws one's own proposals. */
@Command(
        name = "withdraw",
        description = "Withdraw proposals of your own.",
        footer = "  gavel withdraw main p-019a8f0c1d2e0102030405 --reason 'found another way'")
final class WithdrawCommand extends RemarkCommand {
    @Parameters(index = "1..*", arity = "1..*", paramLabel = "ID", description = "The proposals' ids.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private List<String> ids;

    @Option(names = "--reason", paramLabel = "REASON", description = "Why.")
    private @Nullable String reason;

    @Override
    protected int run(Client client) throws RemoteException, InterruptedException {
        return remark(client, "withdraw", "withdrew", ids, reason == null ? Map.of() : Map.of("reason", reason));
    }
}
