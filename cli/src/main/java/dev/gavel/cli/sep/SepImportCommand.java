package dev.gavel.cli.sep;

import dev.gavel.cli.ClientCommand;
import dev.gavel.cli.ClientCommandContext;
import dev.gavel.cli.ExitCode;
import dev.gavel.cli.ProgressLine;
import dev.gavel.cli.RateLimitRetry;
import dev.gavel.cli.TokenSourcePolicy;
import dev.gavel.client.http.RemoteGatewayException;
import dev.gavel.client.http.RemoteGatewayException.Refused;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.sep.service.SepOperation;
import dev.gavel.sep.text.SepResultFormatter;
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

/** The {@code gavel sep import} command: imports SEP documents, including their numbers and statuses. */
@Command(
        name = "import",
        description = "Import SEP documents with their numbers and statuses.",
        footer = {
            "  gavel sep import seps/",
            "  gavel sep import 1286-paging.md 1391-sessions.md",
            "",
            "The command also imports documents with problems, and reports each problem with",
            "file, line, column and a fix. You can import the same documents repeatedly: an",
            "existing SEP is updated only if its document has changed. The exit code is 1 if",
            "the server refused a document.",
        })
final class SepImportCommand extends ClientCommand {
    /** How many documents are sent at the same time. */
    private static final int MAX_CONCURRENT = 4;

    private static final String REFUSED = "refused";

    @Parameters(arity = "1..*", paramLabel = "FILE|DIR", description = "Documents, or directories with documents.")
    private List<Path> paths = new ArrayList<>();

    @Override
    protected TokenSourcePolicy tokenPolicy() {
        return TokenSourcePolicy.LOGIN_REQUIRED;
    }

    @Override
    protected int run(ClientCommandContext clientCommandContext) throws RemoteGatewayException, InterruptedException {
        List<MarkdownFile> files =
                MarkdownFileFinder.find(clientCommandContext.environment().directory(), paths);
        List<Json> answers = importAll(clientCommandContext, files);
        Map<String, Integer> counts = new LinkedHashMap<>();
        for (int i = 0; i < files.size(); i++) {
            Json answer = answers.get(i);
            boolean refused = answer.at("code").isPresent();
            counts.merge(refused ? REFUSED : answer.at("outcome").text(), 1, Integer::sum);
            if (refused) {
                clientCommandContext
                        .output()
                        .printLine(SafeText.line(files.get(i).name().toString()) + ": refused: "
                                + SafeText.line(answer.at("detail").text()));
            } else {
                SepResultFormatter.format(SepOperation.IMPORT, answer)
                        .forEach(clientCommandContext.output()::printLine);
            }
        }
        List<String> parts = new ArrayList<>();
        counts.forEach((outcome, count) -> parts.add(count + " " + SafeText.line(outcome)));
        clientCommandContext
                .output()
                .printLine(
                        files.size() + (files.size() == 1 ? " document: " : " documents: ") + String.join(", ", parts));
        clientCommandContext.output().printJson(toJson(files, answers, counts).raw());
        return counts.containsKey(REFUSED) ? ExitCode.FAILURE : ExitCode.SUCCESS;
    }

    private static Json toJson(List<MarkdownFile> files, List<Json> answers, Map<String, Integer> counts) {
        return Json.write(json -> {
            json.writeStartObject();
            json.writeArrayPropertyStart("documents");
            for (int i = 0; i < files.size(); i++) {
                json.writeRawValue(answers.get(i)
                        .with("file", Json.ofText(files.get(i).name().toString()))
                        .raw());
            }
            json.writeEndArray();
            json.writeObjectPropertyStart("counts");
            counts.forEach(json::writeNumberProperty);
            json.writeEndObject();
            json.writeEndObject();
        });
    }

    /** Returns the server's response to each document, in the order of the files; a refusal has a {@code code}. */
    private List<Json> importAll(ClientCommandContext clientCommandContext, List<MarkdownFile> files)
            throws RemoteGatewayException, InterruptedException {
        ProgressLine progressLine = clientCommandContext.output().progress("documents imported");
        List<Json> answers = new ArrayList<>();
        try (ExecutorService executor = Executors.newFixedThreadPool(
                MAX_CONCURRENT, Thread.ofVirtual().name("import ", 0).factory())) {
            List<Future<Json>> futures = new ArrayList<>();
            files.forEach(file -> futures.add(executor.submit(() -> importOne(clientCommandContext, file))));
            try {
                for (Future<Json> each : futures) {
                    answers.add(each.get());
                    progressLine.step();
                }
            } catch (ExecutionException e) {
                if (e.getCause() instanceof RemoteGatewayException remote) {
                    throw remote;
                }
                throw new IllegalStateException(e.getCause());
            } finally {
                executor.shutdownNow();
            }
        } finally {
            progressLine.clear();
        }
        return answers;
    }

    private static Json importOne(ClientCommandContext clientCommandContext, MarkdownFile file)
            throws RemoteGatewayException, InterruptedException {
        if (file.source().isEmpty()) {
            return problem("outside", MarkdownFile.OUTSIDE + "; " + MarkdownFile.OUTSIDE_HELP);
        }
        SepDocumentUpload document;
        try {
            document =
                    SepDocumentUpload.read(file.name().toString(), file.source().get());
        } catch (IOException e) {
            return problem("unreadable", "the file cannot be read: " + SepDocumentUpload.describe(e));
        }
        try {
            return RateLimitRetry.retry(
                    () -> document.addTo(SepApiRequest.of(SepOperation.IMPORT)).send(clientCommandContext.gateway()));
        } catch (Refused e) {
            if (e.problem().status() == 401) {
                throw e;
            }
            return SepClientCommand.problemJson(e.problem());
        }
    }

    private static Json problem(String code, String detail) {
        return Json.object().with("code", Json.ofText(code)).with("detail", Json.ofText(detail));
    }
}
