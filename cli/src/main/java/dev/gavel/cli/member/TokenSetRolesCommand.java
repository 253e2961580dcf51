package dev.gavel.cli.member;

import dev.gavel.cli.ClientCommand;
import dev.gavel.cli.ClientCommandContext;
import dev.gavel.cli.ExitCode;
import dev.gavel.cli.TokenSourcePolicy;
import dev.gavel.client.http.RemoteGatewayException;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The {@code gavel token roles} command: sets an identity's roles, which apply to all of its tokens. */
@Command(
        name = "roles",
        description = "Set an identity's roles. They apply to all its tokens at once.",
        footer = {
            "  gavel token roles carol --role admin --role maintainer",
            "  gavel token roles carol      remove all roles",
        })
final class TokenSetRolesCommand extends ClientCommand {
    @Parameters(index = "0", paramLabel = "NAME", description = "The identity's name.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String name;

    @Option(
            names = "--role",
            paramLabel = "ROLE",
            description =
                    "A role, such as admin or core-maintainer. Can be repeated. Without this option, all roles are"
                            + " removed.")
    private List<String> roles = new ArrayList<>();

    @Override
    protected TokenSourcePolicy tokenPolicy() {
        return TokenSourcePolicy.LOGIN_REQUIRED;
    }

    @Override
    protected int run(ClientCommandContext clientCommandContext) throws RemoteGatewayException, InterruptedException {
        Json response = clientCommandContext.gateway().setRoles(name, Json.write(json -> {
            json.writeStartArray();
            roles.forEach(json::writeString);
            json.writeEndArray();
        }));
        List<String> currentRoles = response.at("roles").texts();
        clientCommandContext
                .output()
                .printLine(SafeText.line(name)
                        + (currentRoles.isEmpty()
                                ? " has no roles"
                                : " has these roles: " + SafeText.line(String.join(", ", currentRoles))));
        clientCommandContext.output().printJson(response.raw());
        return ExitCode.SUCCESS;
    }
}
