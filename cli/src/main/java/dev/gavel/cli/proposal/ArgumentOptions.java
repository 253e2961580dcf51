package dev.gavel.cli.proposal;

import dev.gavel.cli.CommandException;
import dev.gavel.cli.ExitCode;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options {@code --arg} and {@code --args} that give a tool call's arguments. */
final class ArgumentOptions {
    @Option(
            names = "--arg",
            paramLabel = "NAME=TEXT",
            description = {
                "An argument: NAME=TEXT for text, NAME:=JSON for any other value (number, true, false, null, list,"
                        + " object). Can be repeated."
            })
    private List<String> assignments = new ArrayList<>();

    @Option(
            names = "--args",
            paramLabel = "JSON",
            description = "All arguments as one JSON object. --arg overrides single arguments.")
    private @Nullable String argumentsJson;

    /** Whether {@code --arg} or {@code --args} was given. */
    boolean isGiven() {
        return argumentsJson != null || !assignments.isEmpty();
    }

    /** Applies the given arguments to the existing ones: {@code --args} replaces all, {@code --arg} sets one. */
    Json applyTo(Json before) {
        Json arguments = argumentsJson == null ? before : object(argumentsJson);
        for (String argument : assignments) {
            arguments = with(arguments, argument);
        }
        return arguments;
    }

    private static Json object(String text) {
        return Json.parse(text)
                .filter(json -> json.type() == Json.Type.OBJECT)
                .orElseThrow(() -> new CommandException(
                        ExitCode.USAGE, "--args must be a JSON object, such as '{\"path\":\"/tmp/x\"}'"));
    }

    private static Json with(Json arguments, String argument) {
        int sign = argument.indexOf('=');
        boolean raw = sign > 0 && argument.charAt(sign - 1) == ':';
        int end = raw ? sign - 1 : sign;
        if (end < 1) {
            throw new CommandException(
                    ExitCode.USAGE,
                    "'" + SafeText.line(argument)
                            + "' is not a valid argument. Use NAME=TEXT, or NAME:=JSON for numbers,"
                            + " true, false, null, lists and objects.");
        }
        String value = argument.substring(sign + 1);
        return arguments.with(argument.substring(0, end), raw ? json(argument, value) : Json.ofText(value));
    }

    private static Json json(String argument, String value) {
        return Json.parse(value)
                .orElseThrow(() -> new CommandException(
                        ExitCode.USAGE,
                        "'" + SafeText.line(argument)
                                + "': the value after ':=' is not valid JSON. For text, use '='."));
    }
}
