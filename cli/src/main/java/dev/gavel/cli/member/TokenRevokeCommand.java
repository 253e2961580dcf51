package dev.gavel.cli.member;

import dev.gavel.cli.ClientCommand;
import dev.gavel.cli.ClientCommandContext;
import dev.gavel.cli.CommandException;
import dev.gavel.cli.ExitCode;
import dev.gavel.cli.TokenSourcePolicy;
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
        description = "Revoke one or all tokens of an identity, and close their connections.",
        footer = {
            "  gavel token revoke helper",
            "  gavel token revoke helper --id k-019a8f0c1d2e0102030405",
        })
final class TokenRevokeCommand extends ClientCommand {
    @Parameters(index = "0", paramLabel = "NAME", description = "The identity that the tokens belong to.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String name;

    @Option(names = "--id", paramLabel = "ID", description = "Revoke only this token. 'gavel token list' shows its ID.")
    private @Nullable String id;

    @Override
    protected void validate() {
        if (id != null && id.isBlank()) {
            throw new CommandException(
                    ExitCode.USAGE, "--id is empty. Name one token, or omit --id to revoke all tokens.");
        }
    }

    @Override
    protected TokenSourcePolicy tokenPolicy() {
        return TokenSourcePolicy.LOGIN_REQUIRED;
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
