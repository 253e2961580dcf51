package dev.gavel.cli.sep;

import dev.gavel.cli.CommandEnvironment;
import dev.gavel.cli.CommandException;
import dev.gavel.cli.CommandOutput;
import dev.gavel.cli.ExitCode;
import dev.gavel.cli.OfflineJsonOption;
import dev.gavel.cli.OptionalServerQuery;
import dev.gavel.cli.ProgressLine;
import dev.gavel.cli.TerminalStyle;
import dev.gavel.client.http.RemoteGatewayException;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.sep.lint.LintBaseline;
import dev.gavel.sep.lint.LintCode;
import dev.gavel.sep.lint.LintContext;
import dev.gavel.sep.lint.LintFinding;
import dev.gavel.sep.lint.LintSeverity;
import dev.gavel.sep.lint.Linter;
import dev.gavel.sep.service.SepOperation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code gavel sep lint} command: checks SEP documents without a server and prints findings. */
@Command(
        name = "lint",
        description = "Check documents and report problems with fixes.",
        parameterListHeading = "%nArguments:%n",
        optionListHeading = "%nOptions:%n",
        footerHeading = "%nExamples:%n",
        footer = {
            "  gavel sep lint 0000-paging-for-every-list.md",
            "  gavel sep lint seps --process mcp-2026",
            "  gavel sep lint seps --baseline lint-baseline.txt",
            "  gavel sep lint seps --json | jq '.findings[] | select(.severity==\"error\")'",
            "",
            "In a directory, every file that the process defines as a document is checked (by",
            "default *.md except README.md and TEMPLATE.md), including the links between",
            "them. The exit code is 0 if there are no errors, 1 if there are errors, and 2",
            "if a file cannot be read.",
            "docs/sep-documents.md explains the codes.",
        })
final class SepLintCommand implements Callable<Integer> {
    /** Limits how long the command waits for a server whose answer it does not need. */
    private static final int MAX_QUERIED = 50;

    @Parameters(arity = "1..*", paramLabel = "DIR|FILE", description = "Documents, or directories with documents.")
    private List<Path> paths = List.of();

    @Mixin
    private final SepProcessOption process = new SepProcessOption();

    @Option(names = "--baseline", paramLabel = "FILE", description = "Do not report the findings in this file.")
    private @Nullable Path baseline;

    @Option(
            names = "--write-baseline",
            paramLabel = "FILE",
            description = "Write all findings to this file, and report none.")
    private @Nullable Path newBaseline;

    @Mixin
    private final OfflineJsonOption json = new OfflineJsonOption();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() {
        CommandOutput commandOutput = CommandOutput.of(spec, json.isGiven(spec));
        LintContext context = LintContext.of(process.process());
        ProgressLine progressLine =
                ProgressLine.onStandardError(spec.commandLine().getErr(), "documents read");
        SepDocumentLoader files = new SepDocumentLoader(
                CommandEnvironment.of(spec).directory(),
                context.processDefinition().documentFormat(),
                progressLine);
        List<LintFinding> findings;
        Path workingDirectory = CommandEnvironment.of(spec).directory();
        Optional<LintBaseline> accepted = readBaseline(workingDirectory);
        try {
            files.read(paths);
            findings = new ArrayList<>(files.findings());
            if (files.includesDirectory()) {
                findings.addAll(Linter.lintAll(files.sources(), context));
            } else {
                files.sources()
                        .forEach(source -> findings.addAll(Linter.lint(source.file(), source.document(), context)));
            }
            findings.addAll(statusFindings(files.sources(), context));
        } catch (IOException e) {
            throw new CommandException(ExitCode.USAGE, SafeText.line(CommandException.describe(e)));
        } finally {
            progressLine.clear();
        }
        if (newBaseline != null) {
            writeBaseline(workingDirectory.resolve(newBaseline), LintBaseline.of(findings));
        }
        List<LintFinding> newFindings =
                accepted.map(known -> known.newFindings(findings)).orElse(newBaseline == null ? findings : List.of());
        int count = files.sources().size() + files.findings().size();
        commandOutput.printJson(json(newFindings, count).raw());
        newFindings.forEach(finding -> printFinding(commandOutput, finding));
        commandOutput.printLine(summary(commandOutput, newFindings, count));
        return count(newFindings, LintSeverity.ERROR) == 0 ? ExitCode.SUCCESS : ExitCode.FAILURE;
    }

    private Optional<LintBaseline> readBaseline(Path workingDirectory) {
        if (baseline == null) {
            return Optional.empty();
        }
        Path file = workingDirectory.resolve(baseline);
        try {
            if (Files.size(file) > LintBaseline.MAX_LENGTH) {
                throw new CommandException(
                        ExitCode.USAGE, "the baseline file is longer than " + LintBaseline.MAX_LENGTH + " bytes");
            }
            return Optional.of(LintBaseline.parse(Files.readString(file)));
        } catch (IOException e) {
            throw new CommandException(
                    ExitCode.USAGE, "cannot read the baseline file: " + SafeText.line(CommandException.describe(e)));
        }
    }

    private static void writeBaseline(Path file, LintBaseline lintBaseline) {
        try {
            Files.writeString(file, lintBaseline.text());
        } catch (IOException e) {
            throw new CommandException(
                    ExitCode.USAGE, "cannot write the baseline file: " + SafeText.line(CommandException.describe(e)));
        }
    }

    /** Finds documents whose status differs from the ledger; empty if no server answers. */
    private List<LintFinding> statusFindings(List<Linter.Source> sources, LintContext context) {
        List<Linter.Source> numberedSources = sources.stream()
                .filter(source -> source.document().metadata().number().isPresent())
                .limit(MAX_QUERIED)
                .toList();
        if (numberedSources.isEmpty()) {
            return List.of();
        }
        List<LintFinding> statusFindings = new ArrayList<>();
        OptionalServerQuery.tryQuery(spec, gateway -> {
                    Map<Linter.Source, Json> sepBySource = new LinkedHashMap<>();
                    for (Linter.Source source : numberedSources) {
                        try {
                            sepBySource.put(
                                    source,
                                    SepApiRequest.of(SepOperation.SHOW)
                                            .with("number", number(source))
                                            .send(gateway));
                        } catch (RemoteGatewayException.Refused e) {
                            // The server does not have this SEP, or this reader may not see it.
                        }
                    }
                    return sepBySource;
                })
                .ifPresent(sepBySource -> sepBySource.forEach((source, sep) -> Linter.lint(
                                source.file(),
                                source.document(),
                                context.ledgerState(new LintContext.LedgerState(
                                        number(source),
                                        sep.at("status").text(),
                                        role -> sep.at("sponsor").asText().isPresent())))
                        .stream()
                        .filter(finding -> finding.code() == LintCode.STATUS_DIFFERS)
                        .forEach(statusFindings::add)));
        return statusFindings;
    }

    private static int number(Linter.Source source) {
        return source.document().metadata().number().orElse(0);
    }

    private static void printFinding(CommandOutput commandOutput, LintFinding finding) {
        TerminalStyle style = switch (finding.severity()) {
            case ERROR -> TerminalStyle.BAD;
            case WARNING -> TerminalStyle.OPEN;
            case NOTE -> TerminalStyle.TALK;
        };
        String location = SafeText.line(finding.file()) + ":" + finding.line() + ":" + finding.column();
        String label = finding.severity().wireName() + "[" + finding.code().wireName() + "]";
        commandOutput.printLine(commandOutput.paint(TerminalStyle.BOLD, location + ":") + " "
                + commandOutput.paint(style, label + ":") + " " + SafeText.line(finding.message()));
        commandOutput.printLine(
                "  " + commandOutput.paint(TerminalStyle.FAINT, "help:") + " " + SafeText.line(finding.help()));
    }

    private static String summary(CommandOutput commandOutput, List<LintFinding> findings, int files) {
        long errors = count(findings, LintSeverity.ERROR);
        String all = number(files, "document") + ": " + number(errors, "error") + ", "
                + number(count(findings, LintSeverity.WARNING), "warning") + ", "
                + number(count(findings, LintSeverity.NOTE), "note");
        return commandOutput.paint(errors == 0 ? TerminalStyle.GOOD : TerminalStyle.BAD, all);
    }

    private static String number(long number, String word) {
        return number + " " + word + (number == 1 ? "" : "s");
    }

    private static long count(List<LintFinding> findings, LintSeverity severity) {
        return findings.stream()
                .filter(finding -> finding.severity() == severity)
                .count();
    }

    private static Json json(List<LintFinding> findings, int files) {
        return Json.write(json -> {
            json.writeStartObject();
            json.writeArrayPropertyStart("findings");
            for (LintFinding finding : findings) {
                json.writeStartObject();
                json.writeStringProperty("file", finding.file());
                json.writeNumberProperty("line", finding.line());
                json.writeNumberProperty("column", finding.column());
                json.writeStringProperty("severity", finding.severity().wireName());
                json.writeStringProperty("code", finding.code().wireName());
                json.writeStringProperty("message", finding.message());
                json.writeStringProperty("help", finding.help());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeNumberProperty("files", files);
            json.writeNumberProperty("errors", count(findings, LintSeverity.ERROR));
            json.writeNumberProperty("warnings", count(findings, LintSeverity.WARNING));
            json.writeEndObject();
        });
    }
}
