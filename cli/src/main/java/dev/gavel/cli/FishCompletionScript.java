package dev.gavel.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Generates the completion script for the fish shell from the command model. */
record FishCompletionScript(CommandLine command) {
    String generate() {
        String name = command.getCommandName();
        StringBuilder script = new StringBuilder("# fish completion for " + name + ", from '" + name
                + " completion fish'\n"
                + "# The words typed so far, without options and their values.\n"
                + "function __" + name + "_words\n"
                + "    set -l before\n"
                + "    for word in (commandline -opc)[2..-1]\n"
                + "        if not string match -q -- '-*' $word; and not contains -- \"$before\""
                + optionsWithValue(command).distinct().sorted().collect(Collectors.joining(" ", " ", "\n"))
                + "            echo $word\n"
                + "        end\n"
                + "        set before $word\n"
                + "    end\n"
                + "end\n"
                + "# Whether they begin with these.\n"
                + "function __" + name + "_at\n"
                + "    set -l words (__" + name + "_words)\n"
                + "    test (count $words) -ge (count $argv); or return 1\n"
                + "    test (count $argv) -eq 0; or test \"$words[1..\"(count $argv)\"]\" = \"$argv\"; or return 1\n"
                + "    return 0\n"
                + "end\n"
                + "# Whether they are these and no more.\n"
                + "function __" + name + "_only\n"
                + "    set -l words (__" + name + "_words)\n"
                + "    test \"$words\" = \"$argv\"\n"
                + "end\n"
                + "complete -c " + name + " -f\n");
        append(script, command.getCommandSpec(), List.of());
        return script.toString();
    }

    /** The options of all commands that take a value. */
    private static Stream<String> optionsWithValue(CommandLine command) {
        return Stream.concat(
                command.getCommandSpec().options().stream()
                        .filter(option -> option.arity().max() > 0)
                        .flatMap(option -> Stream.of(option.names())),
                command.getSubcommands().values().stream().flatMap(FishCompletionScript::optionsWithValue));
    }

    private void append(StringBuilder script, CommandSpec spec, List<String> path) {
        String words = path.isEmpty() ? "" : " " + String.join(" ", path);
        String onlyCondition = completePrefix() + "_only" + words + "'";
        spec.subcommands().forEach((name, sub) -> {
            if (sub.getCommandSpec().usageMessage().hidden()) {
                return;
            }
            script.append(onlyCondition)
                    .append(" -a ")
                    .append(name)
                    .append(descriptionOption(
                            sub.getCommandSpec().usageMessage().description()))
                    .append('\n');
            List<String> childPath = new ArrayList<>(path);
            childPath.add(name);
            append(script, sub.getCommandSpec(), childPath);
        });
        for (OptionSpec option : spec.options()) {
            script.append(completePrefix()).append("_at").append(words).append("'");
            for (String name : option.names()) {
                script.append(name.startsWith("--") ? " -l " + name.substring(2) : " -s " + name.substring(1));
            }
            script.append(option.arity().max() > 0 ? " -r" : "").append(fileOption(option.paramLabel()));
            script.append(descriptionOption(option.description())).append('\n');
        }
        for (PositionalParamSpec parameter : spec.positionalParameters()) {
            if (parameter.completionCandidates() != null) {
                script.append(onlyCondition)
                        .append(" -a '")
                        .append(String.join(" ", parameter.completionCandidates()))
                        .append("'\n");
            } else if (!fileOption(parameter.paramLabel()).isEmpty()) {
                script.append(onlyCondition)
                        .append(fileOption(parameter.paramLabel()))
                        .append('\n');
            }
        }
    }

    private String completePrefix() {
        return "complete -c " + command.getCommandName() + " -n '__" + command.getCommandName();
    }

    private static String fileOption(String label) {
        return switch (label.toUpperCase(Locale.ROOT)) {
            case "FILE", "DIR" -> " -F";
            default -> "";
        };
    }

    private static String descriptionOption(String[] description) {
        return description.length == 0
                ? ""
                : " -d '"
                        + description[0]
                                .lines()
                                .collect(Collectors.joining(" "))
                                .replace("\\", "\\\\")
                                .replace("'", "\\'")
                        + "'";
    }
}
