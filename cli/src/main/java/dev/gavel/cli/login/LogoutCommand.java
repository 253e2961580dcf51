package dev.gavel.cli.login;

import dev.gavel.cli.ClientOptions;
import dev.gavel.cli.CommandEnvironment;
import dev.gavel.cli.CommandException;
import dev.gavel.cli.CommandOutput;
import dev.gavel.cli.ExitCode;
import dev.gavel.cli.GavelRootCommand;
import dev.gavel.cli.TokenOptionHelp;
import dev.gavel.cli.credential.CredentialStore;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The {@code gavel logout} command: deletes a stored login. */
@Command(
        name = "logout",
        description = "Delete your stored login.",
        footer = {
            "  gavel logout",
            "  gavel logout --url https://gavel.example.org",
            "  gavel logout --all",
            "",
            "The token stays valid. To end it on the server, use 'gavel token revoke'.",
        })
public final class LogoutCommand implements Callable<Integer>, TokenOptionHelp.Describer {
    @Mixin
    private ClientOptions options = new ClientOptions();

    @Option(names = "--all", description = "Delete the logins of all servers.")
    private boolean all;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public List<String> tokenDescription() {
        return List.of("Not needed: the command does not contact the server.");
    }

    @Override
    public Integer call() {
        CommandEnvironment environment = CommandEnvironment.of(spec);
        ClientOptions effectiveOptions =
                options.orElse(((GavelRootCommand) spec.root().userObject()).options());
        CommandOutput commandOutput = CommandOutput.of(spec, effectiveOptions.json());
        List<URI> urls = effectiveOptions.urls(environment);
        List<String> removed;
        try {
            Optional<CredentialStore> store = CredentialStore.of(environment.variables());
            removed = store.isEmpty()
                    ? List.of()
                    : all ? store.get().removeAll() : store.get().remove(urls);
        } catch (IOException e) {
            throw new CommandException(
                    ExitCode.USAGE, "cannot delete the login: " + SafeText.line(CommandException.describe(e)));
        }
        removed.forEach(url -> commandOutput.printLine("logged out of " + SafeText.line(url)));
        if (removed.isEmpty()) {
            commandOutput.printLine(
                    all
                            ? "you are not logged in to any server"
                            : "you are not logged in to "
                                    + urls.stream().map(URI::toString).collect(Collectors.joining(", ")));
        }
        commandOutput.printJson(Json.write(json -> {
                    json.writeStartObject();
                    json.writeArrayPropertyStart("loggedOut");
                    removed.forEach(json::writeString);
                    json.writeEndArray();
                    json.writeEndObject();
                })
                .raw());
        return ExitCode.SUCCESS;
    }
}
