package dev.gavel.cli;

import dev.gavel.client.http.GatewayEndpoint;
import dev.gavel.client.http.LocalServerDefaults;
import dev.gavel.client.http.RemoteGateway;
import dev.gavel.client.http.RemoteGatewayException;
import dev.gavel.client.http.RemoteGatewayException.Refused;
import dev.gavel.client.http.RemoteGatewayException.Unreachable;
import dev.gavel.client.http.RemoteProblem;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.yaml.WordSuggester;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Base class of commands that talk to a running server; reports a refused request as an error line and exit code. */
public abstract class ClientCommand implements Callable<Integer>, TokenOptionHelp.Describer {
    @Mixin
    private ClientOptions options = new ClientOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    /** Runs the command against the server and returns its exit code. */
    protected abstract int run(ClientCommandContext clientCommandContext)
            throws RemoteGatewayException, InterruptedException;

    /** The writer for standard output. */
    public PrintWriter out() {
        return spec.commandLine().getOut();
    }

    /** The exit code to use if the server refuses the request with this problem. */
    protected int exitCodeFor(RemoteProblem problem) {
        return ExitCode.FAILURE;
    }

    /** The JSON document that {@code --json} prints if the server refuses the request. */
    protected Json refusalJson(RemoteProblem problem) {
        return Json.write(json -> {
            json.writeStartObject();
            json.writeStringProperty("code", problem.code());
            json.writeStringProperty("detail", problem.detail());
            problem.proposal().ifPresent(id -> json.writeStringProperty("proposal", id));
            problem.state().ifPresent(state -> json.writeStringProperty("state", state));
            json.writeEndObject();
        });
    }

    /**
     * Validates the arguments before the command sends a request to the server. Throws {@link CommandException} if one
     * is invalid.
     */
    protected void validate() {}

    /** Defines which tokens the command may use if the user names none. */
    protected TokenSourcePolicy tokenPolicy() {
        return TokenSourcePolicy.LOGIN_OR_AGENT;
    }

    @Override
    public List<String> tokenDescription() {
        return Stream.concat(Stream.of(TokenOptionHelp.TOKEN), tokenPolicy().defaultText().stream())
                .toList();
    }

    /** Resolves the server and the token. Throws {@link CommandException} if the command needs a token and has none. */
    protected CommandEndpoint endpoint(
            ClientOptions effectiveOptions, CommandEnvironment environment, CommandOutput commandOutput) {
        TokenSourcePolicy tokenSourcePolicy = tokenPolicy();
        CommandEndpoint commandEndpoint =
                effectiveOptions.endpoint(environment, tokenSourcePolicy, commandOutput::warn);
        if (tokenSourcePolicy.requiresToken() && commandEndpoint.origin() == CommandEndpoint.TokenOrigin.NONE) {
            throw unauthenticated(
                    commandOutput,
                    "'" + spec.qualifiedName() + "' acts in your name, and you are not logged in. "
                            + effectiveOptions.loginAdvice(environment));
        }
        if (commandEndpoint.origin() == CommandEndpoint.TokenOrigin.AGENT_FILE && commandOutput.isTerminal()) {
            commandOutput.printNote("You are not logged in: using the token of '" + LocalServerDefaults.AGENT + "' in "
                    + commandEndpoint.originText() + ".");
        }
        return commandEndpoint;
    }

    private static CommandException unauthenticated(CommandOutput commandOutput, String message) {
        return printErrorJson(commandOutput, "unauthenticated", new CommandException(ExitCode.USAGE, message));
    }

    @Override
    public final Integer call() throws InterruptedException {
        GavelRootCommand root = (GavelRootCommand) spec.root().userObject();
        CommandEnvironment environment = root.environment();
        ClientOptions effectiveOptions = options.orElse(root.options());
        CommandOutput commandOutput = new CommandOutput(
                spec.commandLine().getOut(),
                spec.commandLine().getErr(),
                effectiveOptions.json(),
                environment.terminal()
                        && !effectiveOptions.noColor()
                        && environment.variable("NO_COLOR").isEmpty(),
                environment.terminal(),
                environment::width);
        validate();
        CommandEndpoint commandEndpoint = endpoint(effectiveOptions, environment, commandOutput);
        try (RemoteGateway gateway = new RemoteGateway(commandEndpoint.gateway())) {
            return run(new ClientCommandContext(gateway, commandOutput, environment));
        } catch (RemoteGatewayException e) {
            throw switch (e) {
                case Refused refused
                when refused.problem().status() == 401 ->
                    unauthenticated(
                            commandOutput, commandEndpoint.rejectionText(effectiveOptions.loginAdvice(environment)));
                case Refused refused -> toException(refused.problem(), commandEndpoint, commandOutput);
                case Unreachable unreachable ->
                    printErrorJson(
                            commandOutput,
                            "unreachable",
                            new CommandException(
                                    ExitCode.UNREACHABLE,
                                    SafeText.line(unreachable.getMessage() + advice(unreachable))));
            };
        }
    }

    private static String advice(Unreachable e) {
        return e.maybeSent() ? "" : ". Start one with 'gavel serve', or set its URL with --url or GAVEL_URL.";
    }

    /**
     * Prints the error as JSON, so that programs receive the same code and message as people, and returns the
     * exception.
     */
    private static CommandException printErrorJson(
            CommandOutput commandOutput, String code, CommandException commandException) {
        commandOutput.printJson(Json.write(json -> {
                    json.writeStartObject();
                    json.writeStringProperty("code", code);
                    json.writeStringProperty("detail", commandException.getMessage());
                    json.writeEndObject();
                })
                .raw());
        return commandException;
    }

    private CommandException toException(
            RemoteProblem problem, CommandEndpoint commandEndpoint, CommandOutput commandOutput)
            throws InterruptedException {
        commandOutput.printJson(refusalJson(problem).raw());
        String retryHint = problem.retryAfterMillis() > 0
                ? ". Retry in " + Math.ceilDiv(problem.retryAfterMillis(), 1000) + " s."
                : "";
        return new CommandException(
                exitCodeFor(problem),
                SafeText.line(problem.detail()) + " (" + SafeText.line(problem.code()) + ")" + retryHint
                        + hint(problem.code(), commandEndpoint.gateway())
                                .map(hint -> " " + hint)
                                .orElse(""));
    }

    /**
     * Names the option or command with which the user can correct a refused command.
     *
     * @param code the code of the refusal
     * @param endpoint the server that refused the command
     */
    protected Optional<String> hint(String code, GatewayEndpoint endpoint) throws InterruptedException {
        return Optional.empty();
    }

    /** Returns the word if it is one of the known words; otherwise throws a usage error with a suggestion. */
    public static String requireOneOf(List<String> tokenHint, String word, String what) {
        if (tokenHint.contains(word)) {
            return word;
        }
        throw new CommandException(
                ExitCode.USAGE,
                "'" + SafeText.line(word) + "' is not a valid " + what
                        + WordSuggester.suggest(word, tokenHint)
                                .map(suggestion -> ". Did you mean '" + suggestion + "'?")
                                .orElse(". Use " + String.join(", ", tokenHint) + "."));
    }
}
