package dev.gavel.cli.sep;

import dev.gavel.cli.ClientCommand;
import dev.gavel.cli.ClientCommandContext;
import dev.gavel.cli.ExitCode;
import dev.gavel.cli.ProgressLine;
import dev.gavel.cli.RateLimitRetry;
import dev.gavel.cli.TokenSourcePolicy;
import dev.gavel.client.http.RemoteGatewayException;
import dev.gavel.client.http.RemoteGatewayException.Refused;
import dev.gavel.lifecycle.process.DocumentFormat;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.sep.document.DocumentPath;
import dev.gavel.sep.document.SideFileText;
import dev.gavel.sep.service.SepOperation;
import dev.gavel.sep.text.SepResultFormatter;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The {@code gavel sep import} command: imports SEP documents, including their numbers and statuses. */
@Command(
        name = "import",
        description = "Import documents with their numbers and statuses.",
        footer = {
            "  gavel sep import seps/",
            "  gavel sep import 1286-paging.md 1391-sessions.md",
            "  gavel sep import seps/ --git-dates",
            "  gavel sep import enhancements/ --process kep",
            "",
            "The command also imports documents with problems, and reports each problem with",
            "file, line, column and a fix. You can import the same documents repeatedly: an",
            "existing one is updated only if its document has changed. Documents without a",
            "number get the next numbers, in the order of their paths. Name the process of",
            "the server: it defines which files in a directory are documents. The exit code",
            "is 1 if the server refused a document, for example because its number is taken.",
        })
final class SepImportCommand extends ClientCommand {
    private static final String REFUSED = "refused";

    @Parameters(arity = "1..*", paramLabel = "FILE|DIR", description = "Documents, or directories with documents.")
    private List<Path> paths = new ArrayList<>();

    @Option(
            names = "--git-dates",
            description = "Read the dates of documents from git: when each was added, if it states no date, and last"
                    + " changed. Deadlines start at the last change.")
    private boolean gitDates;

    @Mixin
    private final SepProcessOption process = new SepProcessOption();

    private DocumentFormat format() {
        return process.process().documentFormat();
    }

    @Override
    protected TokenSourcePolicy tokenPolicy() {
        return TokenSourcePolicy.LOGIN_REQUIRED;
    }

    @Override
    protected int run(ClientCommandContext clientCommandContext) throws RemoteGatewayException, InterruptedException {
        List<LocalDocument> files =
                LocalDocumentFinder.find(clientCommandContext.environment().directory(), paths, format().files());
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

    private static Json toJson(List<LocalDocument> files, List<Json> answers, Map<String, Integer> counts) {
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

    /**
     * Returns the server's response to each document, in the order of the files; a refusal has a {@code code}.
     *
     * <p>The documents are sent one after another, those without a number last and in the order of their paths. So the
     * same files always get the same numbers.
     */
    private List<Json> importAll(ClientCommandContext clientCommandContext, List<LocalDocument> files)
            throws RemoteGatewayException, InterruptedException {
        ProgressLine progressLine = clientCommandContext.output().progress("documents imported");
        Map<LocalDocument, Json> answers = new HashMap<>();
        List<LocalDocument> sorted = files.stream()
                .sorted(Comparator.comparing(file -> file.name().toString().replace('\\', '/')))
                .toList();
        DocumentFormat format = format();
        try {
            Optional<GitFileDates> dates = gitDates ? Optional.of(new GitFileDates()) : Optional.empty();
            for (boolean assign : new boolean[] {false, true}) {
                for (LocalDocument file : sorted) {
                    Json before = answers.get(file);
                    if (before == null || (assign && isWithoutNumber(before))) {
                        answers.put(file, importOne(clientCommandContext, file, format, dates, assign));
                        progressLine.step();
                    }
                }
            }
        } finally {
            progressLine.clear();
        }
        return files.stream().map(answers::get).toList();
    }

    private static boolean isWithoutNumber(Json answer) {
        return answer.at("code").text().equals("number_missing");
    }

    private static Json importOne(
            ClientCommandContext clientCommandContext,
            LocalDocument file,
            DocumentFormat format,
            Optional<GitFileDates> dates,
            boolean assign)
            throws RemoteGatewayException, InterruptedException {
        if (file.source().isEmpty()) {
            return problem("outside", LocalDocument.OUTSIDE + "; " + LocalDocument.OUTSIDE_HELP);
        }
        Optional<DocumentPath> path = DocumentPath.parse(file.path().toString());
        Optional<Path> side = file.sideFile(format);
        SepDocumentUpload document;
        try {
            document =
                    SepDocumentUpload.read(file.name().toString(), file.source().get());
            if (side.isPresent()) {
                Optional<String> joined = SideFileText.join(LocalDocument.readSideFile(side.get()), document.text());
                if (joined.isEmpty()) {
                    return problem(
                            "side-file", side.get().getFileName() + " contains a line '---' or '...'; remove the line");
                }
                document = new SepDocumentUpload(document.name(), joined.get());
                String name = side.get().getFileName().toString();
                path = path.flatMap(known -> known.withSideFile(name));
            }
        } catch (IOException e) {
            return problem("unreadable", "the file cannot be read: " + SepDocumentUpload.describe(e));
        }
        SepApiRequest request = document.addTo(SepApiRequest.of(SepOperation.IMPORT))
                .with("path", path.map(DocumentPath::text).orElse(null))
                .with("side", path.flatMap(DocumentPath::sideFile).orElse(null))
                .with("assign", assign);
        if (dates.isPresent()) {
            Optional<GitFileDates.Dates> known = dates.get().of(file.source().get());
            Optional<GitFileDates.Dates> sideDates =
                    side.isPresent() ? dates.get().of(side.get()) : Optional.empty();
            request = request.with(
                            "created",
                            known.map(each -> each.added().toString()).orElse(null))
                    .with(
                            "changed",
                            Stream.concat(known.stream(), sideDates.stream())
                                    .map(GitFileDates.Dates::changed)
                                    .max(Comparator.naturalOrder())
                                    .map(Instant::toString)
                                    .orElse(null));
        }
        SepApiRequest ready = request;
        try {
            return RateLimitRetry.retry(() -> ready.send(clientCommandContext.gateway()));
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
