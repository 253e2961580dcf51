package dev.gavel.cli.sep;

import dev.gavel.cli.ClientCommand;
import dev.gavel.cli.ClientCommandContext;
import dev.gavel.cli.ExitCode;
import dev.gavel.cli.TokenSourcePolicy;
import dev.gavel.client.http.GatewayEndpoint;
import dev.gavel.client.http.RemoteGatewayException;
import dev.gavel.client.http.RemoteProblem;
import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.service.SepOperation;
import dev.gavel.sep.text.SepResultFormatter;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Base class of {@code gavel sep} commands that send one request to the server and print its answer. */
abstract class SepClientCommand extends ClientCommand {
    private static final Set<String> HTTP_ONLY_FIELDS = Set.of("status");

    private final SepOperation sepOperation;

    SepClientCommand(SepOperation sepOperation) {
        this.sepOperation = sepOperation;
    }

    /** A SEP records who made each change, and the inbox is that of one person. */
    @Override
    protected TokenSourcePolicy tokenPolicy() {
        return sepOperation.isMutating() || sepOperation == SepOperation.INBOX
                ? TokenSourcePolicy.LOGIN_REQUIRED
                : TokenSourcePolicy.LOGIN_OR_AGENT;
    }

    /** Builds the request to send. */
    abstract SepApiRequest newRequest(ClientCommandContext clientCommandContext);

    @Override
    protected int run(ClientCommandContext clientCommandContext) throws RemoteGatewayException, InterruptedException {
        return printResponse(
                clientCommandContext, newRequest(clientCommandContext).send(clientCommandContext.gateway()));
    }

    /** Prints the response and returns the exit code. */
    int printResponse(ClientCommandContext clientCommandContext, Json response) {
        clientCommandContext.output().printJson(response.raw());
        if (!clientCommandContext.output().isJson()) {
            SepResultFormatter.format(sepOperation, response).forEach(clientCommandContext.output()::printLine);
        }
        return ExitCode.SUCCESS;
    }

    /** A request for this command's operation, without arguments. */
    final SepApiRequest newRequest() {
        return SepApiRequest.of(sepOperation);
    }

    @Override
    protected Optional<String> hint(String code, GatewayEndpoint endpoint) throws InterruptedException {
        return code.equals("unknown_sep")
                ? Optional.of("'gavel sep list' lists all proposals.")
                : super.hint(code, endpoint);
    }

    /** HTTP 400 means that the user typed something wrong. */
    @Override
    protected int exitCodeFor(RemoteProblem problem) {
        return problem.status() == 400 ? ExitCode.USAGE : ExitCode.FAILURE;
    }

    /** Everything the server reports about the refusal, including who may do it and what is missing. */
    @Override
    protected Json refusalJson(RemoteProblem problem) {
        return problemJson(problem);
    }

    static Json problemJson(RemoteProblem problem) {
        Map<String, Json> fields = problem.body().members().entrySet().stream()
                .filter(member -> !HTTP_ONLY_FIELDS.contains(member.getKey()))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
        Json result =
                Json.object().with("code", Json.ofText(problem.code())).with("detail", Json.ofText(problem.detail()));
        for (Map.Entry<String, Json> member : fields.entrySet()) {
            result = result.with(member.getKey(), member.getValue());
        }
        return result;
    }
}
