package dev.gavel.cli.member;

import dev.gavel.cli.ClientCommand;
import dev.gavel.cli.ClientCommandContext;
import dev.gavel.cli.CommandException;
import dev.gavel.cli.CommandOutput;
import dev.gavel.cli.DurationTextFormat;
import dev.gavel.cli.ExitCode;
import dev.gavel.cli.ShellQuoting;
import dev.gavel.cli.TerminalStyle;
import dev.gavel.cli.TokenSourcePolicy;
import dev.gavel.client.http.RemoteGatewayException;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The {@code gavel token create} command: creates a token and prints it once. */
@Command(
        name = "create",
        description = "Create a token and print it once.",
        footer = {
            "  gavel token create bob --topic ops --capability 'chat.*' --expires 30d",
            "  HELPER_TOKEN=$(gavel token create helper)",
            "  gavel token create carol --topic ops --capability '*' --role core-maintainer",
            "",
            "If NAME is new, the command also creates the identity. An existing identity",
            "gets an additional token, so that you can replace a token without downtime. The",
            "server stores only a hash of the token. If you lose a token, create a new one",
            "and revoke the old one. If the output is not a terminal, standard output",
            "contains only the token.",
        })
final class TokenCreateCommand extends ClientCommand {
    @Parameters(index = "0", paramLabel = "NAME", description = "The identity that the token belongs to.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String name;

    @Option(names = "--topic", paramLabel = "TOPIC", description = "A topic to add the identity to.")
    private @Nullable String topic;

    @Option(
            names = "--capability",
            paramLabel = "PATTERN",
            description = {
                "A pattern of what the identity is allowed to send in the topic, such as",
                "'mcp.proposal.*', or a JSON object with kind and payload. Can be repeated."
            })
    private List<String> capabilities = new ArrayList<>();

    @Option(
            names = "--role",
            paramLabel = "ROLE",
            description = "A role, such as admin or core-maintainer. Replaces the identity's current roles. Can be"
                    + " repeated.")
    private List<String> roles = new ArrayList<>();

    @Option(names = "--expires", paramLabel = "TIME", description = "Time until the token expires, such as 12h or 30d.")
    private @Nullable String expires;

    @Override
    protected void validate() {
        if (!capabilities.isEmpty() && topic == null) {
            throw new CommandException(ExitCode.USAGE, "--capability needs --topic");
        }
        if (expires != null && DurationTextFormat.parse(expires).isEmpty()) {
            throw new CommandException(
                    ExitCode.USAGE, "'" + SafeText.line(expires) + "' is not " + DurationTextFormat.EXPECTED);
        }
    }

    @Override
    protected TokenSourcePolicy tokenPolicy() {
        return TokenSourcePolicy.LOGIN_REQUIRED;
    }

    @Override
    protected int run(ClientCommandContext clientCommandContext) throws RemoteGatewayException, InterruptedException {
        CommandLineCapabilityFormat.warnAboutMistakes(capabilities, clientCommandContext.output());
        Json createdToken = clientCommandContext.gateway().createToken(requestBody());
        CommandOutput commandOutput = clientCommandContext.output();
        commandOutput.printJson(createdToken.raw());
        if (commandOutput.isJson()) {
            return ExitCode.SUCCESS;
        }
        String secret = SafeText.line(createdToken.at("token").text());
        String summary = "token " + SafeText.line(createdToken.at("id").text()) + " for "
                + SafeText.line(createdToken.at("name").text())
                + createdToken
                        .at("expiresAt")
                        .asText()
                        .map(at -> ", expires " + SafeText.line(at))
                        .orElse("")
                + "; it will not be shown again";
        if (commandOutput.isTerminal()) {
            commandOutput.printLine(commandOutput.paint(TerminalStyle.BOLD, secret));
            commandOutput.printLine(commandOutput.paint(TerminalStyle.FAINT, summary));
            commandOutput.printLine("  use it with  GAVEL_TOKEN=… gavel …   or store it in a file: --token file:PATH");
            commandOutput.printLine("  revoke it    gavel token revoke " + ShellQuoting.quote(name) + " --id "
                    + ShellQuoting.quote(createdToken.at("id").text()));
        } else {
            // A script takes all of standard output as the token, so the summary goes to standard error.
            commandOutput.printLine(secret);
            commandOutput.printNote(summary);
        }
        return ExitCode.SUCCESS;
    }

    private Json requestBody() {
        return Json.write(json -> {
            json.writeStartObject();
            json.writeStringProperty("name", name);
            if (topic != null) {
                json.writeStringProperty("topic", topic);
            }
            if (!capabilities.isEmpty()) {
                json.writeName("capabilities");
                json.writeRawValue(
                        CommandLineCapabilityFormat.parse(capabilities).raw());
            }
            if (!roles.isEmpty()) {
                json.writeArrayPropertyStart("roles");
                roles.forEach(json::writeString);
                json.writeEndArray();
            }
            if (expires != null) {
                json.writeStringProperty("expiresIn", expires.strip());
            }
            json.writeEndObject();
        });
    }
}
