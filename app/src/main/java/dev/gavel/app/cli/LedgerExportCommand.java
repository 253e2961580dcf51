package dev.gavel.app.cli;

import dev.gavel.ledger.LedgerFailure;
import dev.gavel.ledger.LedgerView;
import dev.gavel.mcpx.json.Json;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Writes every event of a ledger as a line of JSON. */
@Command(
        name = "export",
        description = "Write every event as a line of JSON.",
        optionListHeading = "%nOptions:%n",
        footerHeading = "%nExamples:%n",
        footer = {
            "  gavel ledger export | jq 'select(.type == \"rejected\")'",
            "  gavel ledger export --topic ops --out ops.jsonl",
            "  gavel ledger export --data /var/lib/gavel --out /backup/events.jsonl",
            "",
            "A server may be running: what is durable at this moment is exported. A line is",
            "{\"topic\",\"seq\",\"at\",\"proposal\",\"type\",\"by\",\"envelope\",\"hash\",\"body\"};",
            "'envelope' is the id of the envelope that caused the event, where one did, and",
            "'hash' proves that nothing before was changed. Of each topic the lines are in",
            "the order of 'seq'. Without --data and GAVEL_DATA, the configuration says where",
            "the ledger is: the file named with --config, else gavel.yaml here.",
        })
final class LedgerExportCommand implements Callable<Integer> {
    private static final String JSONL = "jsonl";

    /** What the system calls it where whoever read, such as {@code head}, has seen enough. */
    private static final String NOBODY_READS = "Broken pipe";

    @Mixin
    private final Place place = new Place();

    @Mixin
    private final JsonOption json = new JsonOption();

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = JSONL,
            description = "How events are written: jsonl, which is the default.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String format;

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "The file to write, readable by its owner alone; it appears when it is complete."
                    + " Default: standard output.")
    private @Nullable Path out;

    @Option(names = "--topic", paramLabel = "TOPIC", description = "Only this topic's events.")
    private @Nullable String topic;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() {
        if (!format.equals(JSONL)) {
            throw new ParameterException(
                    spec.commandLine(), "unknown format '" + format + "': there is only " + JSONL + ".");
        }
        KeptAt ledger = place.ledger();
        try (LedgerView view = ledger.view()) {
            export(ledger.file(), view);
        } catch (LedgerFailure e) {
            throw new Complaint(ExitCode.NO, String.valueOf(e.getMessage()));
        }
        return ExitCode.DONE;
    }

    private void export(Path ledger, LedgerView view) {
        if (topic != null) {
            KnownTopic.require(topic, view.streams());
        }
        try {
            long written = out == null ? toStandardOutput(view) : toFile(view, out, ledger);
            say(written);
        } catch (IOException e) {
            if (out == null && NOBODY_READS.equals(e.getMessage())) {
                return;
            }
            throw new Complaint(
                    ExitCode.NO,
                    "cannot write " + (out == null ? "to standard output" : out) + ": " + Complaint.reason(e));
        }
    }

    /** Standard output has the events already where no file has; a program is then told nothing more. */
    private void say(long written) {
        PrintWriter writer = json.given(spec)
                ? spec.commandLine().getOut()
                : spec.commandLine().getErr();
        if (!json.given(spec)) {
            writer.println(
                    "exported " + written + (written == 1 ? " event" : " events") + (out == null ? "" : " to " + out));
        } else if (out != null) {
            String file = out.toString();
            writer.println(Json.write(document -> {
                document.writeStartObject();
                document.writeNumberProperty("exported", written);
                document.writeStringProperty("file", file);
                document.writeEndObject();
            }));
        }
        writer.flush();
    }

    /** Bytes, not text: JSON is UTF-8 whatever the terminal's encoding. */
    private long toStandardOutput(LedgerView view) throws IOException {
        return write(view, new FileOutputStream(FileDescriptor.out));
    }

    private long toFile(LedgerView view, Path file, Path ledger) throws IOException {
        if (Files.exists(file) && Files.exists(ledger) && Files.isSameFile(file, ledger)) {
            throw new Complaint(ExitCode.USAGE, "--out is the ledger itself; choose another file.");
        }
        try (NewFile made = NewFile.create(file)) {
            long written = write(view, made.stream());
            made.complete();
            return written;
        }
    }

    private long write(LedgerView view, OutputStream stream) throws IOException {
        Progress progress = Progress.onStandardError(spec.commandLine().getErr(), "events exported");
        try (EventLines lines = new EventLines(stream)) {
            view.export(each -> {
                if (topic == null || topic.equals(each.event().stream())) {
                    lines.write(each);
                    progress.step();
                }
            });
        } catch (UncheckedIOException e) {
            throw e.getCause();
        } finally {
            progress.end();
        }
        return progress.steps();
    }
}
