package dev.gavel.cli.member;

import dev.gavel.cli.ClientCommand;
import dev.gavel.cli.ClientCommandContext;
import dev.gavel.cli.CommandException;
import dev.gavel.cli.ExitCode;
import dev.gavel.client.http.RemoteGatewayException;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The {@code gavel token revoke} command: revokes an identity's tokens. */
@Command(
        name = "revoke",
        description = "Revoke somebody's tokens: all of them, or one. Their connections end at once.",
        footer = {
            "  gavel token revoke helper",
            "  gavel token revoke helper --id k-019a8f0c1d2e0102030405",
        })
final class TokenRevokeCommand extends ClientCommand {
    @Parameters(index = "0", paramLabel = "NAME", description = "Whose tokens.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String name;

    @Option(names = "--id", paramLabel = "ID", description = "Only this one; 'gavel token list' has its id.")
    private @Nullable String id;

    @Override
    protected void validate() {
        if (id != null && id.isBlank()) {
            throw new CommandException(
                    ExitCode.USAGE, "--id is empty: name one token, or leave --id out to revoke them all");
        }
    }

    @Override
    protected int run(ClientCommandContext clientCommandContext) throws RemoteGatewayException, InterruptedException {
        Json response = clientCommandContext.gateway().revokeTokens(name, Optional.ofNullable(id));
        clientCommandContext
                .output()
                .printLine("revoked "
                        + SafeText.line(String.join(", ", response.at("revoked").texts())) + " of "
                        + SafeText.line(name));
        clientCommandContext.output().printJson(response.raw());
        return ExitCode.SUCCESS;
    }
}
