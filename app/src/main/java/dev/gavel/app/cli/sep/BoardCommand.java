package dev.gavel.app.cli.sep;

import dev.gavel.app.cli.Complaint;
import dev.gavel.app.cli.ExitCode;
import dev.gavel.app.cli.JsonOption;
import dev.gavel.app.cli.Place;
import dev.gavel.app.cli.Progress;
import dev.gavel.app.cli.Surroundings;
import dev.gavel.ledger.LedgerFailure;
import dev.gavel.ledger.LedgerView;
import dev.gavel.lifecycle.process.Process;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.sep.Sep;
import dev.gavel.sep.board.Board;
import dev.gavel.sep.board.BoardInput;
import dev.gavel.sep.board.DirectorySink;
import dev.gavel.sep.board.FromFiles;
import dev.gavel.sep.board.NoBoard;
import dev.gavel.sep.desk.KnownFacts;
import dev.gavel.sep.kept.Archive;
import dev.gavel.sep.kept.EventCodec;
import dev.gavel.sep.kept.SepReader;
import dev.gavel.sep.lint.Linter;
import dev.gavel.sep.render.Renderer;
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

/** Writes the static board. */
@Command(
        name = "board",
        description = "Write a site of plain pages that shows how every proposal stands.",
        optionListHeading = "%nOptions:%n",
        parameterListHeading = "%n",
        footerHeading = "%nExamples:%n",
        footer = {
            "  gavel sep board --html site seps/",
            "  gavel sep board --html site --process mcp-2026 seps/1286-workflow.md",
            "  gavel sep board --html site --data /var/lib/gavel",
            "",
            "With files or directories the board is made of these documents alone: each",
            "stands where it says that it does. With none it is made of the ledger, beside a",
            "running server if there is one. The site needs no server: open site/index.html.",
            "A directory that has other files is refused; a board in it is replaced when the",
            "new one is complete.",
        })
public final class BoardCommand implements Callable<Integer> {
    @Option(
            names = "--html",
            paramLabel = "DIR",
            required = true,
            description = "The directory to write: a new or empty one, or one with a board.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Path html;

    @Option(
            names = "--title",
            paramLabel = "TEXT",
            defaultValue = "Proposals",
            description = "What the site is called.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String title;

    @Option(
            names = "--as-of",
            paramLabel = "DATE",
            description = "The day the board shows ages for, such as 2026-01-31. Default: now.")
    private @Nullable LocalDate asOf;

    @Parameters(
            paramLabel = "FILE|DIR",
            arity = "0..*",
            description = "Documents, or directories with documents (*.md).")
    private List<Path> files = new ArrayList<>();

    @Mixin
    private final ProcessOption process = new ProcessOption();

    @Mixin
    private final Place place = new Place();

    @Mixin
    private final JsonOption json = new JsonOption();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() {
        Process rules = process.process();
        Instant now =
                asOf == null ? Instant.now() : asOf.atStartOfDay(ZoneOffset.UTC).toInstant();
        if (files.isEmpty()) {
            fromLedger(rules, now);
        } else {
            fromFiles(rules, now);
        }
        return ExitCode.DONE;
    }

    private void fromFiles(Process rules, Instant now) {
        FromFiles documents = new FromFiles(rules);
        List<String> complaints = new ArrayList<>();
        Progress progress = Progress.onStandardError(spec.commandLine().getErr(), "documents read");
        DocumentFiles read = new DocumentFiles(Surroundings.of(spec).directory(), progress);
        try {
            read.read(files);
            for (Linter.Source source : read.sources()) {
                Instant changed =
                        Files.getLastModifiedTime(Path.of(source.file())).toInstant();
                documents.add(source.file(), source.document(), changed);
            }
        } catch (IOException e) {
            throw new Complaint(ExitCode.USAGE, "cannot read documents: " + SafeText.line(Complaint.reason(e)));
        } finally {
            progress.end();
        }
        read.findings().forEach(finding -> complaints.add(finding.file() + ": left out, for " + finding.message()));
        complaints.addAll(documents.complaints());
        write(
                new BoardInput(
                        title,
                        "It is made of the documents alone: what happened before is not known.",
                        rules,
                        documents.seps(),
                        documents::text,
                        sep -> sep.outline().summary(),
                        text -> Renderer.render(text).html(),
                        sep -> KnownFacts.of(sep, rules, documents::find),
                        now),
                complaints);
    }

    private void fromLedger(Process rules, Instant now) {
        try (LedgerView view = place.ledger().view()) {
            fromLedger(view, rules, now);
        } catch (LedgerFailure e) {
            throw new Complaint(ExitCode.NO, String.valueOf(e.getMessage()));
        }
    }

    private void fromLedger(LedgerView view, Process rules, Instant now) {
        Archive archive = new Archive(view, new SepReader(new EventCodec(UnaryOperator.identity())));
        Map<Integer, Sep> seps = new HashMap<>();
        List<String> complaints = new ArrayList<>();
        archive.all().forEach(sep -> {
            if (rules.states().containsKey(sep.state())) {
                seps.put(sep.number(), sep);
            } else {
                complaints.add("SEP-" + sep.number() + ": left out, for the process " + rules.name() + " has no state '"
                        + sep.state() + "'; name the process it goes by with --process");
            }
        });
        write(
                new BoardInput(
                        title,
                        "",
                        rules,
                        List.copyOf(seps.values()),
                        sep -> archive.text(sep.document()).orElse(""),
                        sep -> archive.summary(sep.document()).orElse(""),
                        text -> Renderer.render(text).html(),
                        sep -> KnownFacts.of(sep, rules, number -> Optional.ofNullable(seps.get(number))),
                        now),
                complaints);
    }

    private void write(BoardInput input, List<String> complaints) {
        PrintWriter err = spec.commandLine().getErr();
        if (!json.given(spec)) {
            complaints.forEach(each -> err.println(SafeText.line(each)));
            err.flush();
        }
        if (input.seps().isEmpty()) {
            throw new Complaint(
                    ExitCode.NO,
                    files.isEmpty()
                            ? "there are no proposals in the ledger; name documents to make a board of files."
                            : "none of these is a document that can be shown; nothing was written.");
        }
        Progress progress = Progress.onStandardError(err, "of " + input.seps().size() + " pages written");
        try (DirectorySink sink = DirectorySink.open(html)) {
            Board.write(input, sink, _ -> progress.step());
            sink.complete();
        } catch (NoBoard e) {
            throw new Complaint(ExitCode.USAGE, String.valueOf(e.getMessage()) + ".");
        } catch (IOException e) {
            throw new Complaint(ExitCode.NO, "cannot write " + html + ": " + Complaint.reason(e));
        } finally {
            progress.end();
        }
        say(input.seps().size(), complaints);
    }

    private void say(int count, List<String> complaints) {
        PrintWriter out = spec.commandLine().getOut();
        if (json.given(spec)) {
            out.println(Json.write(document -> {
                        document.writeStartObject();
                        document.writeStringProperty("directory", html.toString());
                        document.writeNumberProperty("seps", count);
                        document.writeArrayPropertyStart("complaints");
                        complaints.forEach(document::writeString);
                        document.writeEndArray();
                        document.writeEndObject();
                    })
                    .raw());
        } else {
            out.println("a board of " + count + (count == 1 ? " proposal" : " proposals") + " is in "
                    + html.resolve("index.html"));
        }
        out.flush();
    }
}
