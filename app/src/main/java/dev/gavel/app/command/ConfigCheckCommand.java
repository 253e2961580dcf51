package dev.gavel.app.command;

import dev.gavel.app.config.DefaultServerConfig;
import dev.gavel.app.config.ServerConfig;
import dev.gavel.cli.CommandException;
import dev.gavel.cli.ExitCode;
import dev.gavel.cli.OfflineJsonOption;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.yaml.FileProblem;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** The {@code gavel config check} command: checks a configuration file and prints its problems. */
@Command(
        name = "check",
        description = "Check a configuration file and report problems.",
        parameterListHeading = "%nArguments:%n",
        optionListHeading = "%nOptions:%n",
        footerHeading = "%nExamples:%n",
        footer = {
            "  gavel config check",
            "  gavel config check /etc/gavel.yaml && systemctl restart gavel",
            "  gavel config check --json gavel.yaml | jq '.problems[].message'",
            "",
            "The command reads the file as 'gavel serve' does, with the current environment.",
            "It resolves tokens and checks that all files in the configuration exist. It does",
            "not start or create anything. It prints each problem as 'file:line: problem'.",
            "With an error in the file, 'gavel serve' does not start. A warning is a probable",
            "mistake: the server starts anyway. The exit code is 2 if there are errors, 1 if",
            "there are only warnings, and 0 if there is neither.",
        })
final class ConfigCheckCommand implements Callable<Integer> {
    @Parameters(
            arity = "0..1",
            paramLabel = "FILE",
            description = "The configuration file. Default: gavel.yaml in the working directory.")
    private @Nullable Path file;

    @Option(names = "--config", paramLabel = "FILE", description = "The same as the argument FILE.")
    private @Nullable Path config;

    @Option(names = "--ignore-warnings", description = "Exit with code 0 if there are only warnings.")
    private boolean ignoreWarnings;

    @Mixin
    private final OfflineJsonOption json = new OfflineJsonOption();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() {
        if (file != null && config != null) {
            throw new CommandException(
                    ExitCode.USAGE, "two files are given, " + file + " and " + config + ". Check one file at a time.");
        }
        Path named = file == null ? config : file;
        if (named == null && !Files.exists(DefaultServerConfig.FILE)) {
            throw new CommandException(
                    ExitCode.USAGE,
                    DefaultServerConfig.FILE
                            + " does not exist in this directory. Name a file: gavel config check FILE."
                            + " (Without a file, 'gavel serve' uses its defaults.)");
        }
        ConfigFile read = ConfigFile.read(named == null ? DefaultServerConfig.FILE : named);
        if (json.isGiven(spec)) {
            PrintWriter out = spec.commandLine().getOut();
            out.println(json(read));
            out.flush();
        } else {
            printText(read);
        }
        return !read.problems().isEmpty()
                ? ExitCode.USAGE
                : ignoreWarnings || read.warnings().isEmpty() ? ExitCode.SUCCESS : ExitCode.FAILURE;
    }

    private void printText(ConfigFile read) {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        if (read.problems().isEmpty()) {
            out.println(SafeText.line(read.path().toString()) + ": "
                    + switch (read.warnings().size()) {
                        case 0 -> "no problems";
                        case 1 -> "1 warning";
                        default -> read.warnings().size() + " warnings";
                    }
                    + "; topics: "
                    + read.config().topics().values().stream()
                            .map(ConfigCheckCommand::topic)
                            .collect(Collectors.joining(", ")));
        }
        read.problems().forEach(problem -> err.println(SafeText.lines(problem.toString())));
        read.warnings()
                .forEach(
                        warning -> err.println(SafeText.lines(warning.position() + ": warning: " + warning.message())));
        out.flush();
        err.flush();
    }

    private static String topic(ServerConfig.Topic topic) {
        int members = topic.members().size();
        return topic.name() + " (" + members + (members == 1 ? " member)" : " members)");
    }

    private static String json(ConfigFile read) {
        StringWriter text = new StringWriter();
        boolean ok = read.problems().isEmpty();
        try (JsonGenerator json = new JsonFactory().createGenerator(ObjectWriteContext.empty(), text)) {
            json.writeStartObject();
            json.writeStringProperty("file", read.path().toString());
            json.writeBooleanProperty("ok", ok);
            json.writeArrayPropertyStart("problems");
            read.problems().forEach(problem -> problem(json, problem));
            json.writeEndArray();
            json.writeArrayPropertyStart("warnings");
            read.warnings().forEach(warning -> problem(json, warning));
            json.writeEndArray();
            json.writeArrayPropertyStart("topics");
            if (ok) {
                read.config().topics().values().forEach(topic -> topic(json, topic));
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        return text.toString();
    }

    private static void problem(JsonGenerator json, FileProblem problem) {
        json.writeStartObject();
        json.writeStringProperty("file", problem.position().file());
        json.writeNumberProperty("line", problem.position().line());
        json.writeNumberProperty("column", problem.position().column());
        json.writeStringProperty("message", problem.message());
        json.writeEndObject();
    }

    private static void topic(JsonGenerator json, ServerConfig.Topic topic) {
        json.writeStartObject();
        json.writeStringProperty("name", topic.name());
        json.writeBooleanProperty("ledger", topic.ledger());
        json.writeArrayPropertyStart("members");
        topic.members().keySet().forEach(json::writeString);
        json.writeEndArray();
        json.writeEndObject();
    }
}
