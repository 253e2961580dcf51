package dev.gavel.app.cli.sep;

import dev.gavel.app.cli.Client;
import dev.gavel.app.cli.ClientCommand;
import dev.gavel.app.cli.ExitCode;
import dev.gavel.app.cli.Patience;
import dev.gavel.app.cli.Progress;
import dev.gavel.app.sepdesk.SepText;
import dev.gavel.client.http.RemoteException;
import dev.gavel.client.http.RemoteException.Refused;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.sep.desk.Verb;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Takes documents in with the numbers and statuses they have. */
@Command(
        name = "import",
        description = "Take in documents with the numbers and statuses they have.",
        footer = {
            "  gavel sep import seps/",
            "  gavel sep import 1286-paging.md 1391-sessions.md",
            "",
            "Whatever is there is read; what is wrong with a document is said with file, line",
            "and column, and how to mend it. A document that is here already is compared: it",
            "may be imported again and again. The exit code is 1 where one was refused.",
        })
final class ImportCommand extends ClientCommand {
    /** So many are sent at a time. */
    private static final int IN_FLIGHT = 4;

    private static final String REFUSED = "refused";

    @Parameters(arity = "1..*", paramLabel = "FILE|DIR", description = "Documents, or directories of them.")
    private List<Path> named = new ArrayList<>();

    @Override
    protected int run(Client client) throws RemoteException, InterruptedException {
        List<Path> files = MarkdownFiles.of(client.here().directory(), named);
        List<Json> answers = all(client, files);
        Map<String, Integer> counts = new LinkedHashMap<>();
        for (int i = 0; i < files.size(); i++) {
            Json answer = answers.get(i);
            boolean refused = answer.at("code").there();
            counts.merge(refused ? REFUSED : answer.at("outcome").text(), 1, Integer::sum);
            if (refused) {
                client.screen()
                        .line(SafeText.line(files.get(i).toString()) + ": refused: "
                                + SafeText.line(answer.at("detail").text()));
            } else {
                SepText.of(Verb.IMPORT, answer).forEach(client.screen()::line);
            }
        }
        List<String> words = new ArrayList<>();
        counts.forEach((word, count) -> words.add(count + " " + SafeText.line(word)));
        client.screen()
                .line(files.size() + (files.size() == 1 ? " document: " : " documents: ") + String.join(", ", words));
        client.screen().document(document(files, answers, counts).raw());
        return counts.containsKey(REFUSED) ? ExitCode.NO : ExitCode.DONE;
    }

    private static Json document(List<Path> files, List<Json> answers, Map<String, Integer> counts) {
        return Json.write(json -> {
            json.writeStartObject();
            json.writeArrayPropertyStart("documents");
            for (int i = 0; i < files.size(); i++) {
                json.writeRawValue(answers.get(i)
                        .with("file", Json.ofText(files.get(i).toString()))
                        .raw());
            }
            json.writeEndArray();
            json.writeObjectPropertyStart("counts");
            counts.forEach(json::writeNumberProperty);
            json.writeEndObject();
            json.writeEndObject();
        });
    }

    /** What the desk answers to each, in their order; a refusal has a code. */
    private List<Json> all(Client client, List<Path> files) throws RemoteException, InterruptedException {
        Progress progress = client.screen().progress("documents imported");
        List<Json> answers = new ArrayList<>();
        try (ExecutorService sending = Executors.newFixedThreadPool(
                IN_FLIGHT, Thread.ofVirtual().name("import ", 0).factory())) {
            List<Future<Json>> coming = new ArrayList<>();
            files.forEach(file -> coming.add(sending.submit(() -> one(client, file))));
            try {
                for (Future<Json> each : coming) {
                    answers.add(each.get());
                    progress.step();
                }
            } catch (ExecutionException e) {
                if (e.getCause() instanceof RemoteException remote) {
                    throw remote;
                }
                throw new IllegalStateException(e.getCause());
            } finally {
                sending.shutdownNow();
            }
        } finally {
            progress.end();
        }
        return answers;
    }

    private static Json one(Client client, Path file) throws RemoteException, InterruptedException {
        DocumentFile document;
        try {
            document = DocumentFile.read(client.here().directory(), file);
        } catch (IOException e) {
            return Json.object()
                    .with("code", Json.ofText("unreadable"))
                    .with("detail", Json.ofText("it cannot be read: " + DocumentFile.reason(e)));
        }
        try {
            return Patience.answer(() -> document.in(Asking.of(Verb.IMPORT)).ask(client.gateway()));
        } catch (Refused e) {
            if (e.problem().status() == 401) {
                throw e;
            }
            return DeskCommand.refused(e.problem());
        }
    }
}
