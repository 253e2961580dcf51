package dev.gavel.cli.sep;

import dev.gavel.cli.ClientCommand;
import dev.gavel.cli.ClientCommandContext;
import dev.gavel.cli.CommandException;
import dev.gavel.cli.ExitCode;
import dev.gavel.cli.ProgressLine;
import dev.gavel.cli.RateLimitRetry;
import dev.gavel.client.http.RemoteGatewayException;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.sep.document.DocumentPath;
import dev.gavel.sep.document.SideFileText;
import dev.gavel.sep.service.SepApiRoute;
import dev.gavel.sep.service.SepOperation;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The {@code gavel sep export} command: exports SEP documents, including their current status. */
@Command(
        name = "export",
        description = "Export documents with their current status.",
        footer = {
            "  gavel sep export 1286 > 1286.md",
            "  gavel sep export --dir seps/                export all proposals",
            "  gavel sep export 1286 1391 --dir seps/ --force",
            "",
            "A single document goes to standard output. Several documents need --dir. There,",
            "an imported document gets the path that it had below the imported directory.",
            "Files that exist and differ are overwritten only with --force. Without it, the",
            "exit code is 1 if a file differs. Apart from the status, an exported document",
            "is identical to the submitted one, byte for byte.",
        })
final class SepExportCommand extends ClientCommand {
    private static final String DIFFERS = "differs";

    private static final String NOT_A_FILE = "not a regular file";

    @Parameters(
            arity = "0..*",
            paramLabel = "N",
            converter = SepNumberConverter.class,
            description = "Numbers of the proposals. Default: all.")
    private List<Integer> numbers = new ArrayList<>();

    @Option(names = "--dir", paramLabel = "DIR", description = "Target directory. Created if it does not exist.")
    private @Nullable Path directory;

    @Option(names = "--force", description = "Overwrite files that differ.")
    private boolean force;

    @Override
    protected void validate() {
        if (directory == null && numbers.size() != 1) {
            throw new CommandException(
                    ExitCode.USAGE, "name one proposal, or use --dir to export several proposals into a directory");
        }
    }

    @Override
    protected int run(ClientCommandContext clientCommandContext) throws RemoteGatewayException, InterruptedException {
        if (directory == null) {
            Json answer = exportOne(clientCommandContext, numbers.getFirst());
            if (clientCommandContext.output().isJson()) {
                clientCommandContext.output().printJson(answer.raw());
            } else {
                print(clientCommandContext, answer.at("document").text());
            }
            return ExitCode.SUCCESS;
        }
        Path targetDirectory = clientCommandContext.environment().directory().resolve(directory);
        Map<String, String> outcomes = new LinkedHashMap<>();
        ProgressLine progressLine = clientCommandContext.output().progress("documents exported");
        try {
            Files.createDirectories(targetDirectory);
            for (int number : numbers.isEmpty() ? allNumbers(clientCommandContext) : numbers) {
                Json answer = exportOne(clientCommandContext, number);
                // The path that the server states is untrusted.
                DocumentPath path = answer.at("file")
                        .asText()
                        .flatMap(DocumentPath::parse)
                        .filter(stated -> !outcomes.containsKey(stated.text()))
                        .orElseGet(() -> new DocumentPath(number + ".md"));
                String text = answer.at("document").text();
                Optional<DocumentPath> withSide = answer.at("side").asText().flatMap(path::withSideFile);
                Optional<SideFileText.Parts> parts = withSide.isPresent() ? SideFileText.split(text) : Optional.empty();
                outcomes.put(
                        path.text(),
                        write(
                                targetDirectory,
                                path.text(),
                                parts.map(SideFileText.Parts::document).orElse(text)));
                if (parts.isPresent()) {
                    String side = withSide.flatMap(DocumentPath::sidePath).orElseThrow();
                    outcomes.put(side, write(targetDirectory, side, parts.get().side()));
                }
                progressLine.step();
            }
        } catch (IOException e) {
            throw new CommandException(
                    ExitCode.FAILURE,
                    "cannot write to " + SafeText.line(directory.toString()) + ": "
                            + SafeText.line(CommandException.describe(e)));
        } finally {
            progressLine.clear();
        }
        return printOutcomes(clientCommandContext, outcomes);
    }

    private int printOutcomes(ClientCommandContext clientCommandContext, Map<String, String> outcomes) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        outcomes.forEach((file, outcome) -> {
            counts.merge(outcome, 1, Integer::sum);
            if (outcome.equals(DIFFERS)) {
                clientCommandContext
                        .output()
                        .printLine(file + ": differs and was not overwritten; use --force to overwrite it");
            } else if (outcome.equals(NOT_A_FILE)) {
                clientCommandContext
                        .output()
                        .printLine(file + ": is a symbolic link or no regular file, and was not written; remove it");
            }
        });
        List<String> parts = new ArrayList<>();
        counts.forEach((outcome, count) -> parts.add(count + " " + outcome));
        clientCommandContext.output().printLine(outcomes.size() + " documents: " + String.join(", ", parts));
        clientCommandContext
                .output()
                .printJson(Json.write(json -> {
                            json.writeStartObject();
                            json.writeArrayPropertyStart("documents");
                            outcomes.forEach((file, outcome) -> {
                                json.writeStartObject();
                                json.writeStringProperty("file", file);
                                json.writeStringProperty("outcome", outcome);
                                json.writeEndObject();
                            });
                            json.writeEndArray();
                            json.writeEndObject();
                        })
                        .raw());
        return counts.containsKey(DIFFERS) || counts.containsKey(NOT_A_FILE) ? ExitCode.FAILURE : ExitCode.SUCCESS;
    }

    private static Json exportOne(ClientCommandContext clientCommandContext, int number)
            throws RemoteGatewayException, InterruptedException {
        return RateLimitRetry.retry(() -> SepApiRequest.of(SepOperation.EXPORT)
                .with(SepApiRoute.NUMBER, (long) number)
                .send(clientCommandContext.gateway()));
    }

    /** The numbers of all SEPs, read page by page. */
    private static List<Integer> allNumbers(ClientCommandContext clientCommandContext)
            throws RemoteGatewayException, InterruptedException {
        List<Integer> all = new ArrayList<>();
        String cursor = null;
        do {
            String pageCursor = cursor;
            Json page = RateLimitRetry.retry(() -> SepApiRequest.of(SepOperation.LIST)
                    .with("cursor", pageCursor)
                    .send(clientCommandContext.gateway()));
            page.at("seps")
                    .elements()
                    .forEach(sep -> all.add((int) sep.at("number").asLong(0)));
            cursor = page.at("cursor").asText().orElse(null);
        } while (cursor != null);
        return all;
    }

    private String write(Path targetDirectory, String path, String document) throws IOException {
        Path file = targetDirectory;
        for (String part : path.split("/", -1)) {
            // Creates the directory only if it does not exist, and never follows a link out of the target directory.
            if (!file.equals(targetDirectory) && !Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
                if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
                    return NOT_A_FILE;
                }
                Files.createDirectory(file);
            }
            file = file.resolve(part);
        }
        return write(file, document);
    }

    private String write(Path file, String document) throws IOException {
        byte[] bytes = document.getBytes(StandardCharsets.UTF_8);
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                return NOT_A_FILE;
            }
            if (Arrays.equals(Files.readAllBytes(file), bytes)) {
                return "unchanged";
            }
            if (!force) {
                return DIFFERS;
            }
        }
        Files.write(
                file,
                bytes,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE,
                LinkOption.NOFOLLOW_LINKS);
        return "written";
    }

    /**
     * Prints sanitized text to a terminal. A pipe or file gets the document's bytes in UTF-8, whatever the terminal's
     * encoding.
     */
    private void print(ClientCommandContext clientCommandContext, String document) {
        if (clientCommandContext.environment().terminal()) {
            clientCommandContext.output().printLine(SafeText.lines(document).stripTrailing());
        } else if (clientCommandContext.environment().ownsProcess()) {
            try (OutputStream stream = new FileOutputStream(FileDescriptor.out)) {
                stream.write(document.getBytes(StandardCharsets.UTF_8));
            } catch (IOException e) {
                throw new CommandException(
                        ExitCode.FAILURE, "cannot write to standard output: " + CommandException.describe(e));
            }
        } else {
            out().print(document);
            out().flush();
        }
    }
}
