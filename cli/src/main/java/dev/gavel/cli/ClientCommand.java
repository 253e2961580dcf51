package dev.gavel.cli;

import dev.gavel.client.http.GatewayEndpoint;
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
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Base class of commands that talk to a running server; reports a refused request as an error line and exit code. */
public abstract class ClientCommand implements Callable<Integer> {
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
        GatewayEndpoint gatewayEndpoint = effectiveOptions.endpoint(environment, commandOutput::warn);
        try (RemoteGateway gateway = new RemoteGateway(gatewayEndpoint)) {
            return run(new ClientCommandContext(gateway, commandOutput, environment));
        } catch (RemoteGatewayException e) {
            throw switch (e) {
                case Refused refused -> toException(refused.problem(), gatewayEndpoint, commandOutput);
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
            RemoteProblem problem, GatewayEndpoint gatewayEndpoint, CommandOutput commandOutput) {
        if (problem.status() == 401) {
            String tokenHint = gatewayEndpoint.token().isPresent()
                    ? " does not accept this token. Set another one "
                    : " requires a token. Set one ";
            return printErrorJson(
                    commandOutput,
                    problem.code(),
                    new CommandException(
                            ExitCode.USAGE,
                            "the server at " + gatewayEndpoint + tokenHint + ClientOptions.TOKEN_HINT + "."));
        }
        commandOutput.printJson(refusalJson(problem).raw());
        String retryHint = problem.retryAfterMillis() > 0
                ? ". Retry in " + Math.ceilDiv(problem.retryAfterMillis(), 1000) + " s."
                : "";
        return new CommandException(
                exitCodeFor(problem),
                SafeText.line(problem.detail()) + " (" + SafeText.line(problem.code()) + ")" + retryHint);
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
