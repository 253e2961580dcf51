package dev.gavel.app.command;

import dev.gavel.cli.CommandEnvironment;
import dev.gavel.cli.CommandException;
import dev.gavel.cli.ExitCode;
import dev.gavel.cli.OfflineJsonOption;
import dev.gavel.cli.ProgressLine;
import dev.gavel.cli.sep.SepDocumentLoader;
import dev.gavel.cli.sep.SepProcessOption;
import dev.gavel.ledger.LedgerException;
import dev.gavel.ledger.ReadableLedger;
import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.sep.Sep;
import dev.gavel.sep.board.BoardDirectorySink;
import dev.gavel.sep.board.BoardInput;
import dev.gavel.sep.board.BoardOutputDirectoryException;
import dev.gavel.sep.board.BoardWriter;
import dev.gavel.sep.board.DocumentSepLoader;
import dev.gavel.sep.lint.Linter;
import dev.gavel.sep.render.MarkdownRenderer;
import dev.gavel.sep.service.DocumentExporter;
import dev.gavel.sep.service.OfflineSepFactEvaluator;
import dev.gavel.sep.store.SepEventCodec;
import dev.gavel.sep.store.SepLedgerReader;
import dev.gavel.sep.store.SepReplayer;
import dev.gavel.web.registry.RegistrySnapshot;
import dev.gavel.web.sep.RegistryPeopleDirectory;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code gavel sep board} command: writes a static site of all SEPs, from documents or from the ledger. */
@Command(
        name = "board",
        description = "Write a static website that shows the state of every specification proposal.",
        optionListHeading = "%nOptions:%n",
        parameterListHeading = "%n",
        footerHeading = "%nExamples:%n",
        footer = {
            "  gavel sep board --html site seps/",
            "  gavel sep board --html site --process mcp-2026 seps/1286-workflow.md",
            "  gavel sep board --html site --data /var/lib/gavel",
            "",
            "With files or directories, the board shows only these documents, each in the",
            "state that the document names. Without them, the board shows the proposals in",
            "the ledger. You can run the command while the server runs. To view the site",
            "without a web server, open site/index.html. The output directory must not",
            "contain other files. If it contains a board, the new board replaces it when it",
            "is complete.",
        })
public final class SepBoardCommand implements Callable<Integer> {
    @Option(
            names = "--html",
            paramLabel = "DIR",
            required = true,
            description = "The output directory: a new or empty directory, or one that contains a board.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Path html;

    @Option(names = "--title", paramLabel = "TEXT", defaultValue = "Proposals", description = "The title of the site.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String title;

    @Option(
            names = "--as-of",
            paramLabel = "DATE",
            description = "Date to use instead of today to compute how long proposals have waited, such as 2026-01-31.")
    private @Nullable LocalDate asOf;

    @Parameters(paramLabel = "FILE|DIR", arity = "0..*", description = "Documents, or directories with documents.")
    private List<Path> files = new ArrayList<>();

    @Mixin
    private final SepProcessOption process = new SepProcessOption();

    @Mixin
    private final ConfigAndDataOptions configAndDataOptions = new ConfigAndDataOptions();

    @Mixin
    private final OfflineJsonOption json = new OfflineJsonOption();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() {
        ProcessDefinition rules = process.process();
        Instant now =
                asOf == null ? Instant.now() : asOf.atStartOfDay(ZoneOffset.UTC).toInstant();
        if (files.isEmpty()) {
            fromLedger(rules, now);
        } else {
            fromFiles(rules, now);
        }
        return ExitCode.SUCCESS;
    }

    private void fromFiles(ProcessDefinition rules, Instant now) {
        DocumentSepLoader documents = new DocumentSepLoader(rules);
        List<String> complaints = new ArrayList<>();
        ProgressLine progressLine =
                ProgressLine.onStandardError(spec.commandLine().getErr(), "documents read");
        SepDocumentLoader read =
                new SepDocumentLoader(CommandEnvironment.of(spec).directory(), rules.documentFormat(), progressLine);
        try {
            read.read(files);
            for (Linter.Source source : read.sources()) {
                Instant changed =
                        Files.getLastModifiedTime(Path.of(source.file())).toInstant();
                documents.add(source.file(), source.document(), changed);
            }
        } catch (IOException e) {
            throw new CommandException(
                    ExitCode.USAGE, "cannot read documents: " + SafeText.line(CommandException.describe(e)));
        } finally {
            progressLine.clear();
        }
        read.findings().forEach(finding -> complaints.add(finding.file() + ": skipped: " + finding.message()));
        complaints.addAll(documents.warnings());
        write(
                new BoardInput(
                        title,
                        "This board is generated from documents only. It does not show their history.",
                        rules,
                        documents.seps(),
                        documents::text,
                        sep -> sep.metadata().summary(),
                        text -> MarkdownRenderer.render(text).html(),
                        sep -> OfflineSepFactEvaluator.of(sep, rules, documents::find),
                        Map.of(),
                        now),
                complaints);
    }

    private void fromLedger(ProcessDefinition rules, Instant now) {
        try (ReadableLedger view = configAndDataOptions.ledgerLocation().openReadOnly()) {
            fromLedger(view, rules, now);
        } catch (LedgerException e) {
            throw new CommandException(ExitCode.FAILURE, String.valueOf(e.getMessage()));
        }
    }

    private void fromLedger(ReadableLedger view, ProcessDefinition rules, Instant now) {
        SepLedgerReader sepLedgerReader =
                new SepLedgerReader(view, new SepReplayer(new SepEventCodec(UnaryOperator.identity())));
        Map<Integer, Sep> seps = new HashMap<>();
        List<String> complaints = new ArrayList<>();
        sepLedgerReader.all().forEach(sep -> {
            if (rules.states().containsKey(sep.state())) {
                seps.put(sep.number(), sep);
            } else {
                complaints.add(rules.terms().numberLabel(sep.number()) + ": skipped: the process " + rules.name()
                        + " has no state '" + sep.state() + "'. Choose another process with --process.");
            }
        });
        RegistrySnapshot identities = RegistrySnapshot.of(configAndDataOptions.identities(), Map.of())
                .replay(sink -> view.replay(RegistrySnapshot.STREAM, sink));
        DocumentExporter exporter = new DocumentExporter(rules, RegistryPeopleDirectory.listAll(identities, now));
        write(
                new BoardInput(
                        title,
                        "",
                        rules,
                        List.copyOf(seps.values()),
                        sep -> sepLedgerReader
                                .documentText(sep.documentHash())
                                .map(text -> exporter.text(sep, text))
                                .orElse(""),
                        sep -> sepLedgerReader
                                .documentSummary(sep.documentHash())
                                .orElse(""),
                        text -> MarkdownRenderer.render(text).html(),
                        sep -> OfflineSepFactEvaluator.of(sep, rules, number -> Optional.ofNullable(seps.get(number))),
                        names(identities),
                        now),
                complaints);
    }

    private static Map<Person, String> names(RegistrySnapshot identities) {
        Map<Person, String> names = new HashMap<>();
        identities.displayNames().namesById().forEach((id, name) -> names.put(new Person(id), name));
        return names;
    }

    private void write(BoardInput input, List<String> complaints) {
        PrintWriter err = spec.commandLine().getErr();
        if (!json.isGiven(spec)) {
            complaints.forEach(each -> err.println(SafeText.line(each)));
            err.flush();
        }
        if (input.seps().isEmpty()) {
            throw new CommandException(
                    ExitCode.FAILURE,
                    files.isEmpty()
                            ? "the ledger contains no " + input.terms().plural()
                                    + ". To create a board from files, name documents."
                            : "none of the files is a document that can be shown. Nothing was written.");
        }
        ProgressLine progressLine =
                ProgressLine.onStandardError(err, "of " + input.seps().size() + " pages written");
        try (BoardDirectorySink sink = BoardDirectorySink.open(html)) {
            BoardWriter.write(input, sink, _ -> progressLine.step());
            sink.complete();
        } catch (BoardOutputDirectoryException e) {
            throw new CommandException(ExitCode.USAGE, String.valueOf(e.getMessage()) + ".");
        } catch (IOException e) {
            throw new CommandException(ExitCode.FAILURE, "cannot write " + html + ": " + CommandException.describe(e));
        } finally {
            progressLine.clear();
        }
        printSummary(input, complaints);
    }

    private void printSummary(BoardInput input, List<String> complaints) {
        PrintWriter out = spec.commandLine().getOut();
        if (json.isGiven(spec)) {
            out.println(Json.write(document -> {
                        document.writeStartObject();
                        document.writeStringProperty("directory", html.toString());
                        document.writeNumberProperty("seps", input.seps().size());
                        document.writeArrayPropertyStart("complaints");
                        complaints.forEach(document::writeString);
                        document.writeEndArray();
                        document.writeEndObject();
                    })
                    .raw());
        } else {
            out.println("wrote a board of " + input.terms().count(input.seps().size()) + " to "
                    + html.resolve("index.html"));
        }
        out.flush();
    }
}
