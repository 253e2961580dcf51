package dev.gavel.app.cli.sep;

import dev.gavel.app.cli.Client;
import dev.gavel.app.cli.ClientCommand;
import dev.gavel.app.cli.Complaint;
import dev.gavel.app.cli.ExitCode;
import dev.gavel.app.cli.Patience;
import dev.gavel.app.cli.Progress;
import dev.gavel.app.sepdesk.Route;
import dev.gavel.client.http.RemoteException;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.sep.desk.Verb;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Gives documents with the statuses they have on the desk. */
@Command(
        name = "export",
        description = "Give documents, with the statuses they have here.",
        footer = {
            "  gavel sep export 1286 > 1286.md",
            "  gavel sep export --dir seps/                all of them",
            "  gavel sep export 1286 1391 --dir seps/ --force",
            "",
            "One goes to standard output, several go into a directory. A file that is there",
            "and differs is left alone unless --force is given; then the exit code is 1.",
            "But for its status, a document is what was submitted, byte for byte.",
        })
final class ExportCommand extends ClientCommand {
    /** What the server proposes as a file's name is only that. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,200}\\.md");

    private static final String DIFFERS = "differs";

    @Parameters(
            arity = "0..*",
            paramLabel = "N",
            converter = SepNumber.class,
            description = "Their numbers. Default: all.")
    private List<Integer> numbers = new ArrayList<>();

    @Option(names = "--dir", paramLabel = "DIR", description = "The directory to write to; made where there is none.")
    private @Nullable Path directory;

    @Option(names = "--force", description = "Write over files that differ.")
    private boolean force;

    @Override
    protected void check() {
        if (directory == null && numbers.size() != 1) {
            throw new Complaint(ExitCode.USAGE, "name one SEP, or say with --dir where several are to go");
        }
    }

    @Override
    protected int run(Client client) throws RemoteException, InterruptedException {
        if (directory == null) {
            Json answer = one(client, numbers.getFirst());
            if (client.screen().json()) {
                client.screen().document(answer.raw());
            } else {
                print(client, answer.at("document").text());
            }
            return ExitCode.DONE;
        }
        Path into = client.here().directory().resolve(directory);
        Map<String, String> outcomes = new LinkedHashMap<>();
        Progress progress = client.screen().progress("documents exported");
        try {
            Files.createDirectories(into);
            for (int number : numbers.isEmpty() ? all(client) : numbers) {
                Json answer = one(client, number);
                String name = answer.at("file")
                        .ifText()
                        .filter(text -> NAME.matcher(text).matches())
                        .orElse("SEP-" + number + ".md");
                outcomes.put(
                        name, write(into.resolve(name), answer.at("document").text()));
                progress.step();
            }
        } catch (IOException e) {
            throw new Complaint(
                    ExitCode.NO,
                    "cannot write to " + SafeText.line(directory.toString()) + ": "
                            + SafeText.line(Complaint.reason(e)));
        } finally {
            progress.end();
        }
        return told(client, outcomes);
    }

    private int told(Client client, Map<String, String> outcomes) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        outcomes.forEach((file, outcome) -> {
            counts.merge(outcome, 1, Integer::sum);
            if (outcome.equals(DIFFERS)) {
                client.screen().line(file + ": differs, and was left alone; write over it with --force");
            }
        });
        List<String> words = new ArrayList<>();
        counts.forEach((outcome, count) -> words.add(count + " " + outcome));
        client.screen().line(outcomes.size() + " documents: " + String.join(", ", words));
        client.screen()
                .document(Json.write(json -> {
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
        return counts.containsKey(DIFFERS) ? ExitCode.NO : ExitCode.DONE;
    }

    private static Json one(Client client, int number) throws RemoteException, InterruptedException {
        return Patience.answer(
                () -> Asking.of(Verb.EXPORT).with(Route.NUMBER, (long) number).ask(client.gateway()));
    }

    /** The numbers of all there are. */
    private static List<Integer> all(Client client) throws RemoteException, InterruptedException {
        List<Integer> all = new ArrayList<>();
        String cursor = null;
        do {
            String from = cursor;
            Json page = Patience.answer(
                    () -> Asking.of(Verb.LIST).with("cursor", from).ask(client.gateway()));
            page.at("seps")
                    .elements()
                    .forEach(sep -> all.add((int) sep.at("number").number(0)));
            cursor = page.at("cursor").ifText().orElse(null);
        } while (cursor != null);
        return all;
    }

    private String write(Path file, String document) throws IOException {
        byte[] bytes = document.getBytes(StandardCharsets.UTF_8);
        if (Files.exists(file)) {
            if (Arrays.equals(Files.readAllBytes(file), bytes)) {
                return "unchanged";
            }
            if (!force) {
                return DIFFERS;
            }
        }
        Files.write(file, bytes);
        return "written";
    }

    /** A terminal is shown it safely; whatever else reads gets the bytes, whatever the terminal's encoding. */
    private void print(Client client, String document) {
        if (client.here().terminal()) {
            client.screen().line(SafeText.lines(document).stripTrailing());
        } else if (client.here().alone()) {
            try (OutputStream stream = new FileOutputStream(FileDescriptor.out)) {
                stream.write(document.getBytes(StandardCharsets.UTF_8));
            } catch (IOException e) {
                throw new Complaint(ExitCode.NO, "cannot write to standard output: " + Complaint.reason(e));
            }
        } else {
            out().print(document);
            out().flush();
        }
    }
}
