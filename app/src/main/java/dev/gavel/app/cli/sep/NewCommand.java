package dev.gavel.app.cli.sep;

import dev.gavel.app.cli.Bystander;
import dev.gavel.app.cli.Complaint;
import dev.gavel.app.cli.ExitCode;
import dev.gavel.app.cli.JsonOption;
import dev.gavel.app.cli.Screen;
import dev.gavel.app.cli.Style;
import dev.gavel.app.cli.Surroundings;
import dev.gavel.lifecycle.process.Attribute;
import dev.gavel.lifecycle.process.Process;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.sep.desk.Verb;
import dev.gavel.sep.document.Scaffold;
import dev.gavel.yaml.Nearest;
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

/** Begins a document. */
@Command(
        name = "new",
        description = "Begin a document with every part of the format.",
        parameterListHeading = "%nArguments:%n",
        optionListHeading = "%nOptions:%n",
        footerHeading = "%nExamples:%n",
        footer = {
            "  gavel sep new \"Paging for every list\" --author \"Alice (@alice)\"",
            "  gavel sep new \"How we vote\" --type Process --dir seps",
            "",
            "The file is called 0000-TITLE.md until the proposal has a number. One that is",
            "there already is never written over.",
        })
final class NewCommand implements Callable<Integer> {
    private static final List<String> STEPS = List.of(
            "Discuss the idea first, where the project talks, and put the link into the line Discussion.",
            "Fill in the Abstract and the Motivation; the other sections can follow.",
            "See what is wrong with it:  gavel sep lint %s",
            "Submit it:  gavel sep submit %s");

    @Parameters(paramLabel = "TITLE", description = "What it is about, in a few words.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String title;

    @Option(
            names = "--author",
            paramLabel = "AUTHOR",
            description = "Who writes it: 'Name (@handle)'. Can be given more than once.")
    private List<String> authors = List.of();

    @Option(names = "--type", paramLabel = "TYPE", description = "What kind of proposal it is. Default: the process's.")
    private @Nullable String type;

    @Option(names = "--dir", paramLabel = "DIR", description = "Where to write it. Default: here.")
    private Path directory = Path.of("");

    @Mixin
    private final ProcessOption process = new ProcessOption();

    @Mixin
    private final JsonOption json = new JsonOption();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() {
        if (title.isBlank()) {
            throw new ParameterException(spec.commandLine(), "The title is empty.");
        }
        Process rules = process.process();
        String text = Scaffold.text(
                title, authors, type(rules), Scaffold.status(rules), LocalDate.now(ZoneId.systemDefault()));
        Path file = directory.resolve(Scaffold.file(title));
        write(file, text);
        Screen screen = Screen.of(spec, json.given(spec));
        List<String> alike = similar();
        List<String> steps =
                STEPS.stream().map(step -> step.replace("%s", file.toString())).toList();
        screen.document(Json.write(json -> {
                    json.writeStartObject();
                    json.writeStringProperty("file", file.toString());
                    json.writeArrayPropertyStart("steps");
                    steps.forEach(json::writeString);
                    json.writeEndArray();
                    json.writeArrayPropertyStart("similar");
                    alike.forEach(json::writeString);
                    json.writeEndArray();
                    json.writeEndObject();
                })
                .raw());
        screen.line(screen.paint(Style.GOOD, "Wrote " + SafeText.line(file.toString()) + "."));
        for (int i = 0; i < steps.size(); i++) {
            screen.line("  " + (i + 1) + ". " + SafeText.line(steps.get(i)));
        }
        if (!alike.isEmpty()) {
            screen.line("Look at these first, which are like it:");
            alike.forEach(line -> screen.line("  " + SafeText.line(line)));
        }
        return ExitCode.DONE;
    }

    /** Lines that each name a proposal like it; none where no server can be asked. */
    private List<String> similar() {
        return Bystander.ask(
                        spec,
                        gateway -> Asking.of(Verb.SIMILAR).with("text", title).ask(gateway))
                .map(answer -> answer.at("similar").elements().stream()
                        .map(each -> "SEP-" + each.at("number").raw() + ": "
                                + each.at("title").text() + " ("
                                + each.at("status").text() + ")")
                        .toList())
                .orElse(List.of());
    }

    private void write(Path file, String text) {
        Path place = Surroundings.of(spec).directory();
        try {
            Files.writeString(place.resolve(file), text, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        } catch (FileAlreadyExistsException e) {
            throw new Complaint(
                    ExitCode.NO,
                    SafeText.line(file.toString()) + " is there already; give another title, or go on with that one");
        } catch (IOException e) {
            throw new Complaint(
                    ExitCode.USAGE,
                    Files.isDirectory(place.resolve(directory))
                            ? "cannot write it: " + SafeText.line(Complaint.reason(e))
                            : "there is no directory " + SafeText.line(directory.toString()));
        }
    }

    private Optional<String> type(Process rules) {
        Attribute attribute = rules.attributes().get("type");
        if (attribute == null) {
            return Optional.ofNullable(type);
        }
        if (type == null) {
            return attribute.otherwise();
        }
        String word = type;
        return Optional.of(attribute
                .spelling(word)
                .orElseThrow(() -> new ParameterException(
                        spec.commandLine(),
                        "'" + SafeText.line(word) + "' is no type of proposal"
                                + Nearest.to(word, attribute.values())
                                        .map(near -> "; did you mean '" + near + "'?")
                                        .orElse(": use one of " + String.join(", ", attribute.values()) + "."))));
    }
}
