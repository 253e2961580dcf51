package dev.gavel.cli.login;

import dev.gavel.cli.ClientCommand;
import dev.gavel.cli.ClientCommandContext;
import dev.gavel.cli.ClientOptions;
import dev.gavel.cli.CommandEndpoint;
import dev.gavel.cli.CommandEndpoint.TokenOrigin;
import dev.gavel.cli.CommandEnvironment;
import dev.gavel.cli.CommandException;
import dev.gavel.cli.CommandOutput;
import dev.gavel.cli.ExitCode;
import dev.gavel.cli.credential.CredentialStore;
import dev.gavel.cli.credential.CredentialStore.StoredCredential;
import dev.gavel.cli.proposal.MemberNameFormatter;
import dev.gavel.client.http.GatewayEndpoint;
import dev.gavel.client.http.RemoteGatewayException;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code gavel login} command: checks a token and stores it for later commands, or shows the stored login. */
@Command(
        name = "login",
        description = "Log in to a server, to review proposals and manage access.",
        footer = {
            "  gavel login                               type the token when asked",
            "  gavel login < FILE                        read the token from a file",
            "  gavel login --url https://gavel.example.org --token file:alice.token",
            "  gavel login --status",
            "",
            "The command stores the token in ~/.config/gavel/credentials.json, which only you",
            "can read. Later commands use it for the same URL. Every program that runs under",
            "your account can use it too, so do not run agents under this account, or log",
            "out when you do not need the login: gavel logout.",
        })
public final class LoginCommand extends ClientCommand {
    @Option(
            names = "--status",
            description = "Do not log in, but show which identity you are logged in as. The exit code is 0 if you are"
                    + " logged in, and 1 if you are not.")
    private boolean status;

    @Override
    public List<String> tokenDescription() {
        return List.of("The token to log in with, as env:NAME or file:PATH.", "Default: the command asks for it.");
    }

    @Override
    protected CommandEndpoint endpoint(
            ClientOptions effectiveOptions, CommandEnvironment environment, CommandOutput commandOutput) {
        List<URI> urls = effectiveOptions.urls(environment);
        if (environment.variable("GAVEL_TOKEN").isPresent()) {
            commandOutput.warn("warning: the variable GAVEL_TOKEN is set. Commands use its token, not your login.");
        }
        if (status) {
            Optional<StoredCredential> login = ClientOptions.findLogin(environment, urls);
            return new CommandEndpoint(
                    GatewayEndpoint.of(urls, login.map(StoredCredential::token)),
                    login.isPresent() ? TokenOrigin.LOGIN : TokenOrigin.NONE,
                    login.map(StoredCredential::name).map(SafeText::line).orElse(""));
        }
        store(environment);
        urls.stream()
                .filter(url -> url.getScheme().equalsIgnoreCase("http") && !GatewayEndpoint.isLocal(url))
                .forEach(url -> commandOutput.warn("warning: the connection to " + url
                        + " is not encrypted. Others in the network can read your token. Use https."));
        String token = effectiveOptions
                .referencedToken(environment)
                .orElseGet(() -> TokenInput.read(urls.getFirst().toString()));
        return new CommandEndpoint(GatewayEndpoint.of(urls, Optional.of(token)), TokenOrigin.NAMED, "");
    }

    @Override
    protected int run(ClientCommandContext clientCommandContext) throws RemoteGatewayException, InterruptedException {
        GatewayEndpoint gatewayEndpoint = clientCommandContext.gateway().endpoint();
        CommandOutput commandOutput = clientCommandContext.output();
        if (gatewayEndpoint.token().isEmpty()) {
            commandOutput.printLine("not logged in to " + gatewayEndpoint);
            printJson(commandOutput, gatewayEndpoint, false, "");
            return ExitCode.FAILURE;
        }
        Json you = clientCommandContext.gateway().topics().at("you");
        String name = you.at("id").text();
        if (!status) {
            try {
                CredentialStore store = store(clientCommandContext.environment());
                store.put(
                        gatewayEndpoint.urls(),
                        new StoredCredential(gatewayEndpoint.token().get(), name));
                commandOutput.printNote("Your token is stored in " + store.file() + ". To remove it: gavel logout");
            } catch (IOException e) {
                throw new CommandException(
                        ExitCode.USAGE, "cannot store the login: " + SafeText.line(CommandException.describe(e)));
            }
        }
        commandOutput.printLine("logged in to " + gatewayEndpoint + " as " + MemberNameFormatter.ofCaller(you));
        printJson(commandOutput, gatewayEndpoint, true, name);
        return ExitCode.SUCCESS;
    }

    private static CredentialStore store(CommandEnvironment environment) {
        return CredentialStore.of(environment.variables())
                .orElseThrow(() -> new CommandException(
                        ExitCode.USAGE,
                        "cannot store your login: set the variable HOME or XDG_CONFIG_HOME to an absolute path"));
    }

    private static void printJson(
            CommandOutput commandOutput, GatewayEndpoint gatewayEndpoint, boolean loggedIn, String name) {
        commandOutput.printJson(Json.write(json -> {
                    json.writeStartObject();
                    json.writeStringProperty("url", gatewayEndpoint.toString());
                    json.writeBooleanProperty("loggedIn", loggedIn);
                    if (loggedIn) {
                        json.writeStringProperty("name", name);
                    }
                    json.writeEndObject();
                })
                .raw());
    }
}
