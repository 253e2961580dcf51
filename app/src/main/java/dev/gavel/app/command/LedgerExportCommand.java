package dev.gavel.app.command;

import dev.gavel.cli.CommandException;
import dev.gavel.cli.ExitCode;
import dev.gavel.cli.OfflineJsonOption;
import dev.gavel.cli.ProgressLine;
import dev.gavel.cli.terminal.TerminalProbe;
import dev.gavel.ledger.LedgerException;
import dev.gavel.ledger.ReadableLedger;
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

/** The {@code gavel ledger export} command: writes every ledger event as a line of JSON. */
@Command(
        name = "export",
        description = "Export all events as JSON, one event per line.",
        optionListHeading = "%nOptions:%n",
        footerHeading = "%nExamples:%n",
        footer = {
            "  gavel ledger export | jq 'select(.type == \"rejected\")'",
            "  gavel ledger export --topic ops --out ops.jsonl",
            "  gavel ledger export --data /var/lib/gavel --out /backup/events.jsonl",
            "",
            "You can run the command while the server runs. It exports the events that are",
            "durable at that time. Each line is a JSON object with these fields:",
            "{\"topic\",\"seq\",\"at\",\"proposal\",\"type\",\"by\",\"envelope\",\"hash\",\"body\"}.",
            "'envelope' is the ID of the envelope that caused the event, if there is one.",
            "With 'hash', you can check that no earlier event was changed. The events of a",
            "topic are in the order of 'seq'. With --data, the ledger is the SQLite file in",
            "that directory. Otherwise the configuration file locates the ledger. On a",
            "terminal, hidden characters are JSON escapes, so to check 'hash', write to a",
            "file or a pipe.",
        })
final class LedgerExportCommand implements Callable<Integer> {
    private static final String JSONL = "jsonl";

    /** The system's message if the reader of the pipe, such as {@code head}, has closed it. */
    private static final String BROKEN_PIPE = "Broken pipe";

    @Mixin
    private final ConfigAndDataOptions configAndDataOptions = new ConfigAndDataOptions();

    @Mixin
    private final OfflineJsonOption json = new OfflineJsonOption();

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = JSONL,
            description = "The output format. Only jsonl (the default) is supported.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String format;

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "The output file, readable only by its owner. It appears when the export is complete."
                    + " Default: standard output.")
    private @Nullable Path out;

    @Option(names = "--topic", paramLabel = "TOPIC", description = "Only this topic's events.")
    private @Nullable String topic;

    @Option(
            names = "--with-secrets",
            description = "Include the values of secret arguments. Without this option, a marker replaces each value,"
                    + " and the event has the fields 'redacted' and 'digest'. With 'digest', you can still check"
                    + " 'hash'.")
    private boolean withSecrets;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() {
        if (!format.equals(JSONL)) {
            throw new ParameterException(spec.commandLine(), "unknown format '" + format + "'. Use " + JSONL + ".");
        }
        LedgerLocation ledger = configAndDataOptions.ledgerLocation();
        try (ReadableLedger view = ledger.openReadOnly()) {
            export(ledger.file(), view);
        } catch (LedgerException e) {
            throw new CommandException(ExitCode.FAILURE, String.valueOf(e.getMessage()));
        }
        return ExitCode.SUCCESS;
    }

    private void export(Path ledger, ReadableLedger view) {
        if (topic != null) {
            TopicExistenceChecker.require(topic, view.streams());
        }
        try {
            long written = out == null ? toStandardOutput(view) : toFile(view, out, ledger);
            printSummary(written);
        } catch (IOException e) {
            if (out == null && BROKEN_PIPE.equals(e.getMessage())) {
                return;
            }
            throw new CommandException(
                    ExitCode.FAILURE,
                    "cannot write " + (out == null ? "to standard output" : out) + ": " + CommandException.describe(e));
        }
    }

    /**
     * Prints the summary. If no file was given, standard output contains the events, and with {@code --json} nothing
     * more is printed.
     */
    private void printSummary(long written) {
        PrintWriter writer = json.isGiven(spec)
                ? spec.commandLine().getOut()
                : spec.commandLine().getErr();
        if (!json.isGiven(spec)) {
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

    /**
     * Writes bytes, not text: JSON is UTF-8 regardless of the terminal's encoding. A terminal gets hidden characters as
     * JSON escapes.
     */
    private long toStandardOutput(ReadableLedger view) throws IOException {
        OutputStream stream = new FileOutputStream(FileDescriptor.out);
        return write(view, TerminalProbe.isStandardOutputTerminal() ? new SafeJsonLineOutputStream(stream) : stream);
    }

    private long toFile(ReadableLedger view, Path file, Path ledger) throws IOException {
        if (Files.exists(file) && Files.exists(ledger) && Files.isSameFile(file, ledger)) {
            throw new CommandException(ExitCode.USAGE, "--out is the ledger itself. Choose another file.");
        }
        try (AtomicOutputFile outputFile = AtomicOutputFile.create(file)) {
            long written = write(view, outputFile.stream());
            outputFile.commit();
            return written;
        }
    }

    private long write(ReadableLedger view, OutputStream stream) throws IOException {
        ProgressLine progressLine =
                ProgressLine.onStandardError(spec.commandLine().getErr(), "events exported");
        try (LedgerEventJsonWriter lines = new LedgerEventJsonWriter(stream, withSecrets)) {
            view.export(each -> {
                if (topic == null || topic.equals(each.event().stream())) {
                    lines.write(each);
                    progressLine.step();
                }
            });
        } catch (UncheckedIOException e) {
            throw e.getCause();
        } finally {
            progressLine.clear();
        }
        return progressLine.steps();
    }
}
