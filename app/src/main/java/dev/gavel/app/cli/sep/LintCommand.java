package dev.gavel.app.cli.sep;

import dev.gavel.app.cli.Bystander;
import dev.gavel.app.cli.Complaint;
import dev.gavel.app.cli.ExitCode;
import dev.gavel.app.cli.JsonOption;
import dev.gavel.app.cli.Progress;
import dev.gavel.app.cli.Screen;
import dev.gavel.app.cli.Style;
import dev.gavel.app.cli.Surroundings;
import dev.gavel.client.http.RemoteException;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.sep.desk.Verb;
import dev.gavel.sep.lint.Code;
import dev.gavel.sep.lint.Finding;
import dev.gavel.sep.lint.LintContext;
import dev.gavel.sep.lint.Linter;
import dev.gavel.sep.lint.Severity;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Says what is wrong with documents, without a server. */
@Command(
        name = "lint",
        description = "Say what is wrong with documents, where, and how to mend it.",
        parameterListHeading = "%nArguments:%n",
        optionListHeading = "%nOptions:%n",
        footerHeading = "%nExamples:%n",
        footer = {
            "  gavel sep lint 0000-paging-for-every-list.md",
            "  gavel sep lint seps --process mcp-2026",
            "  gavel sep lint seps --json | jq '.findings[] | select(.severity==\"error\")'",
            "",
            "In a directory every file *.md is read, except README.md and TEMPLATE.md, and",
            "links between the documents are followed. The exit code is 0 where there are",
            "no errors, 1 where there are, 2 where a file cannot be read. What the codes",
            "mean is in docs/sep-documents.md.",
        })
final class LintCommand implements Callable<Integer> {
    /** More would take longer than somebody waits who did not ask for it. */
    private static final int MOST_ASKED = 50;

    @Parameters(arity = "1..*", paramLabel = "DIR|FILE", description = "Documents, or directories of them.")
    private List<Path> paths = List.of();

    @Mixin
    private final ProcessOption process = new ProcessOption();

    @Mixin
    private final JsonOption json = new JsonOption();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() {
        Screen screen = Screen.of(spec, json.given(spec));
        LintContext context = LintContext.of(process.process());
        Progress progress = Progress.onStandardError(spec.commandLine().getErr(), "documents read");
        DocumentFiles files = new DocumentFiles(Surroundings.of(spec).directory(), progress);
        List<Finding> findings;
        try {
            files.read(paths);
            findings = new ArrayList<>(files.findings());
            if (files.whole()) {
                findings.addAll(Linter.together(files.sources(), context));
            } else {
                files.sources()
                        .forEach(source -> findings.addAll(Linter.lint(source.file(), source.document(), context)));
            }
            findings.addAll(differing(files.sources(), context));
        } catch (IOException e) {
            throw new Complaint(ExitCode.USAGE, SafeText.line(Complaint.reason(e)));
        } finally {
            progress.end();
        }
        int count = files.sources().size() + files.findings().size();
        screen.document(json(findings, count).raw());
        findings.forEach(finding -> say(screen, finding));
        screen.line(summary(screen, findings, count));
        return count(findings, Severity.ERROR) == 0 ? ExitCode.DONE : ExitCode.NO;
    }

    /** Where documents say another status than the ledger; nothing where no server can be asked. */
    private List<Finding> differing(List<Linter.Source> sources, LintContext context) {
        List<Linter.Source> numbered = sources.stream()
                .filter(source -> source.document().outline().number().isPresent())
                .limit(MOST_ASKED)
                .toList();
        if (numbered.isEmpty()) {
            return List.of();
        }
        List<Finding> found = new ArrayList<>();
        Bystander.ask(spec, gateway -> {
                    Map<Linter.Source, Json> kept = new LinkedHashMap<>();
                    for (Linter.Source source : numbered) {
                        try {
                            kept.put(
                                    source,
                                    Asking.of(Verb.SHOW)
                                            .with("number", number(source))
                                            .ask(gateway));
                        } catch (RemoteException.Refused e) {
                            // It is none of the server's, or not this reader's to see.
                        }
                    }
                    return kept;
                })
                .ifPresent(kept -> kept.forEach((source, sep) -> Linter.lint(
                                source.file(),
                                source.document(),
                                context.kept(new LintContext.Kept(
                                        number(source),
                                        sep.at("status").text(),
                                        role -> sep.at("sponsor").ifText().isPresent())))
                        .stream()
                        .filter(finding -> finding.code() == Code.STATUS_DIFFERS)
                        .forEach(found::add)));
        return found;
    }

    private static int number(Linter.Source source) {
        return source.document().outline().number().orElse(0);
    }

    private static void say(Screen screen, Finding finding) {
        Style style = switch (finding.severity()) {
            case ERROR -> Style.BAD;
            case WARNING -> Style.OPEN;
            case NOTE -> Style.TALK;
        };
        String place = SafeText.line(finding.file()) + ":" + finding.line() + ":" + finding.column();
        String what = finding.severity().word() + "[" + finding.code().word() + "]";
        screen.line(screen.paint(Style.BOLD, place + ":") + " " + screen.paint(style, what + ":") + " "
                + SafeText.line(finding.message()));
        screen.line("  " + screen.paint(Style.FAINT, "help:") + " " + SafeText.line(finding.help()));
    }

    private static String summary(Screen screen, List<Finding> findings, int files) {
        long errors = count(findings, Severity.ERROR);
        String all = number(files, "document") + ": " + number(errors, "error") + ", "
                + number(count(findings, Severity.WARNING), "warning") + ", "
                + number(count(findings, Severity.NOTE), "note");
        return screen.paint(errors == 0 ? Style.GOOD : Style.BAD, all);
    }

    private static String number(long number, String word) {
        return number + " " + word + (number == 1 ? "" : "s");
    }

    private static long count(List<Finding> findings, Severity severity) {
        return findings.stream()
                .filter(finding -> finding.severity() == severity)
                .count();
    }

    private static Json json(List<Finding> findings, int files) {
        return Json.write(json -> {
            json.writeStartObject();
            json.writeArrayPropertyStart("findings");
            for (Finding finding : findings) {
                json.writeStartObject();
                json.writeStringProperty("file", finding.file());
                json.writeNumberProperty("line", finding.line());
                json.writeNumberProperty("column", finding.column());
                json.writeStringProperty("severity", finding.severity().word());
                json.writeStringProperty("code", finding.code().word());
                json.writeStringProperty("message", finding.message());
                json.writeStringProperty("help", finding.help());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeNumberProperty("files", files);
            json.writeNumberProperty("errors", count(findings, Severity.ERROR));
            json.writeNumberProperty("warnings", count(findings, Severity.WARNING));
            json.writeEndObject();
        });
    }
}
