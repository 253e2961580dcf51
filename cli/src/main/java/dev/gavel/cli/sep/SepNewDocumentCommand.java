package dev.gavel.cli.sep;

import dev.gavel.cli.CommandEnvironment;
import dev.gavel.cli.CommandException;
import dev.gavel.cli.CommandOutput;
import dev.gavel.cli.ExitCode;
import dev.gavel.cli.OfflineJsonOption;
import dev.gavel.cli.OptionalServerQuery;
import dev.gavel.cli.TerminalStyle;
import dev.gavel.lifecycle.process.AttributeDefinition;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.lifecycle.process.ProposalTerms;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.sep.document.DocumentTemplate;
import dev.gavel.sep.service.SepOperation;
import dev.gavel.yaml.WordSuggester;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code gavel sep new} command: writes a new SEP document from the template to a local file. */
@Command(
        name = "new",
        description = "Create a document with all sections of the process.",
        parameterListHeading = "%nArguments:%n",
        optionListHeading = "%nOptions:%n",
        footerHeading = "%nExamples:%n",
        footer = {
            "  gavel sep new \"Paging for every list\" --author \"Alice (@alice)\"",
            "  gavel sep new \"How we vote\" --type Process --dir seps",
            "",
            "The process defines the name of the file, such as 0000-TITLE.md until the",
            "proposal has a number. An existing file is never overwritten.",
        })
final class SepNewDocumentCommand implements Callable<Integer> {
    private static final List<String> STEPS = List.of(
            "Discuss the idea with the project, and put the link into the line Discussion.",
            "Write the Abstract and the Motivation. The other sections can follow later.",
            "Check the document:  gavel sep lint %s",
            "Submit the document:  gavel sep submit %s");

    @Parameters(paramLabel = "TITLE", description = "Short title of the proposal.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String title;

    @Option(
            names = "--author",
            paramLabel = "AUTHOR",
            description = "Author: 'Name (@handle)'. Can be repeated. Default: you, if you are logged in.")
    private List<String> authors = List.of();

    @Option(names = "--type", paramLabel = "TYPE", description = "Type of the proposal. Default: set by the process.")
    private @Nullable String type;

    @Option(names = "--dir", paramLabel = "DIR", description = "Target directory. Default: the current directory.")
    private Path directory = Path.of("");

    @Mixin
    private final SepProcessOption process = new SepProcessOption();

    @Mixin
    private final OfflineJsonOption json = new OfflineJsonOption();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() {
        if (title.isBlank()) {
            throw new ParameterException(spec.commandLine(), "The title is empty.");
        }
        ProcessDefinition rules = process.process();
        String text = DocumentTemplate.render(
                rules.documentFormat(),
                title,
                authors.isEmpty() ? loggedInAuthor().stream().toList() : authors,
                type(rules),
                DocumentTemplate.initialStatus(rules),
                LocalDate.now(ZoneId.systemDefault()));
        Path file = directory.resolve(DocumentTemplate.fileName(rules.documentFormat(), title));
        write(file, text);
        CommandOutput commandOutput = CommandOutput.of(spec, json.isGiven(spec));
        List<String> similarSeps = findSimilar(rules.terms());
        List<String> steps =
                STEPS.stream().map(step -> step.replace("%s", file.toString())).toList();
        commandOutput.printJson(Json.write(json -> {
                    json.writeStartObject();
                    json.writeStringProperty("file", file.toString());
                    json.writeArrayPropertyStart("steps");
                    steps.forEach(json::writeString);
                    json.writeEndArray();
                    json.writeArrayPropertyStart("similar");
                    similarSeps.forEach(json::writeString);
                    json.writeEndArray();
                    json.writeEndObject();
                })
                .raw());
        commandOutput.printLine(
                commandOutput.paint(TerminalStyle.GOOD, "Wrote " + SafeText.line(file.toString()) + "."));
        for (int i = 0; i < steps.size(); i++) {
            commandOutput.printLine("  " + (i + 1) + ". " + SafeText.line(steps.get(i)));
        }
        if (!similarSeps.isEmpty()) {
            commandOutput.printLine("Look at these similar " + rules.terms().plural() + " first:");
            similarSeps.forEach(line -> commandOutput.printLine("  " + SafeText.line(line)));
        }
        return ExitCode.SUCCESS;
    }

    /** Returns the user as an author; empty if the user is not logged in, or if no server answers. */
    private Optional<String> loggedInAuthor() {
        return OptionalServerQuery.tryQueryAsUser(
                        spec, gateway -> gateway.topics().at("you"))
                .filter(you -> you.at("id").isPresent())
                .map(you -> SafeText.line(you.at("name").asText().orElseGet(you.at("id")::text)) + " ("
                        + SafeText.line(you.at("handles").texts().stream()
                                .findFirst()
                                .orElseGet(() -> "@" + you.at("id").text()))
                        + ")");
    }

    /** Returns one line for each similar SEP; empty if no server answers. */
    private List<String> findSimilar(ProposalTerms terms) {
        return OptionalServerQuery.tryQuery(
                        spec,
                        gateway -> SepApiRequest.of(SepOperation.SIMILAR)
                                .with("text", title)
                                .send(gateway))
                .map(answer -> answer.at("similar").elements().stream()
                        .map(each -> terms.numberLabel(each.at("number").raw()) + ": "
                                + each.at("title").text() + " ("
                                + each.at("status").text() + ")")
                        .toList())
                .orElse(List.of());
    }

    private void write(Path file, String text) {
        Path workingDirectory = CommandEnvironment.of(spec).directory();
        try {
            Files.writeString(
                    workingDirectory.resolve(file), text, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        } catch (FileAlreadyExistsException e) {
            throw new CommandException(
                    ExitCode.FAILURE,
                    SafeText.line(file.toString()) + " already exists; choose another title, or edit this file");
        } catch (IOException e) {
            throw new CommandException(
                    ExitCode.USAGE,
                    Files.isDirectory(workingDirectory.resolve(directory))
                            ? "cannot write the file: " + SafeText.line(CommandException.describe(e))
                            : "there is no directory " + SafeText.line(directory.toString()));
        }
    }

    private Optional<String> type(ProcessDefinition rules) {
        AttributeDefinition attribute = rules.attributes().get("type");
        if (attribute == null) {
            return Optional.ofNullable(type);
        }
        if (type == null) {
            return attribute.defaultValue();
        }
        String requestedType = type;
        return Optional.of(attribute
                .canonicalValue(requestedType)
                .orElseThrow(() -> new ParameterException(
                        spec.commandLine(),
                        "Unknown type '" + SafeText.line(requestedType) + "'. "
                                + WordSuggester.suggest(requestedType, attribute.values())
                                        .map(suggestion -> "Did you mean '" + suggestion + "'?")
                                        .orElse("Use one of: " + String.join(", ", attribute.values()) + "."))));
    }
}
