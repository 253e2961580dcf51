package dev.gavel.app.cli.sep;

import dev.gavel.app.cli.Client;
import dev.gavel.app.cli.ClientCommand;
import dev.gavel.app.cli.ExitCode;
import dev.gavel.app.sepdesk.SepText;
import dev.gavel.client.http.Problem;
import dev.gavel.client.http.RemoteException;
import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.desk.Verb;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** A command that asks one thing of the SEP desk and prints what it answers. */
abstract class DeskCommand extends ClientCommand {
    private static final Set<String> OF_HTTP = Set.of("status");

    private final Verb verb;

    DeskCommand(Verb verb) {
        this.verb = verb;
    }

    /** What is asked. */
    abstract Asking asking(Client client);

    @Override
    protected int run(Client client) throws RemoteException, InterruptedException {
        return answered(client, asking(client).ask(client.gateway()));
    }

    /** Prints an answer and gives the exit code. */
    int answered(Client client, Json answer) {
        client.screen().document(answer.raw());
        if (!client.screen().json()) {
            SepText.of(verb, answer).forEach(client.screen()::line);
        }
        return ExitCode.DONE;
    }

    /** Arguments yet to be filled in. */
    final Asking asking() {
        return Asking.of(verb);
    }

    /** What the desk does not understand was typed wrong. */
    @Override
    protected int refusedWith(Problem problem) {
        return problem.status() == 400 ? ExitCode.USAGE : ExitCode.NO;
    }

    /** All the desk says of it: who may, and what is missing. */
    @Override
    protected Json refusal(Problem problem) {
        return refused(problem);
    }

    static Json refused(Problem problem) {
        Map<String, Json> said = problem.all().members().entrySet().stream()
                .filter(member -> !OF_HTTP.contains(member.getKey()))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
        Json all =
                Json.object().with("code", Json.ofText(problem.code())).with("detail", Json.ofText(problem.detail()));
        for (Map.Entry<String, Json> member : said.entrySet()) {
            all = all.with(member.getKey(), member.getValue());
        }
        return all;
    }
}
