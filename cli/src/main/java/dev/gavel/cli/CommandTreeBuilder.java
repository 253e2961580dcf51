package dev.gavel.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * Builds the picocli command tree for one command line; creates only the commands named in it, or all if it names none.
 *
 * <p>Picocli reads a command's annotations when it builds the command, and there are dozens of commands: that was half of
 * every start. So if the first word is the name of a command, only that command is built, and likewise below it. Otherwise
 * (a mistyped name, an option, no word at all) all commands are built, since help and hints need them. Immutable.
 *
 * @param commands the top-level commands, in the order of the help
 * @param additions commands that join a command group after the group's own, by the class of the group
 */
public record CommandTreeBuilder(List<Class<?>> commands, Map<Class<?>, List<Class<?>>> additions) {
    public CommandTreeBuilder {
        commands = List.copyOf(commands);
        additions = Map.copyOf(additions);
    }

    /** Adds the commands to the root command that are needed to parse these words. */
    void addCommands(CommandLine gavel, List<String> words) {
        addCommands(gavel, commands, words);
    }

    private void addCommands(CommandLine parent, List<Class<?>> children, List<String> words) {
        findNamed(words, children)
                .ifPresentOrElse(
                        namedType -> add(parent, namedType, words.subList(1, words.size())),
                        () -> children.forEach(each -> add(parent, each, List.of())));
    }

    private void add(CommandLine parent, Class<?> type, List<String> words) {
        CommandLine command = new CommandLine(type);
        if (command.getCommand() instanceof CommandGroup group) {
            List<Class<?>> children = new ArrayList<>(group.commands());
            children.addAll(additions.getOrDefault(type, List.of()));
            addCommands(command, children, words);
        }
        parent.addSubcommand(command);
    }

    private static Optional<Class<?>> findNamed(List<String> words, List<Class<?>> commands) {
        return words.isEmpty()
                ? Optional.empty()
                : commands.stream()
                        .filter(each -> name(each).equals(words.getFirst()))
                        .findFirst();
    }

    private static String name(Class<?> command) {
        return command.getAnnotation(Command.class).name();
    }
}
