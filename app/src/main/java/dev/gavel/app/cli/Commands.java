package dev.gavel.app.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * The commands below {@code gavel}. Picocli reads a command's annotations when it is built, and there are dozens: that was
 * half of every start. So where the first word is a command's name, that one is built and no other, and likewise below it.
 * Where it is not (a mistyped name, an option, nothing at all) all are there, as help and hints need them. Stateless.
 */
final class Commands {
    private static final List<Class<?>> COMMANDS = List.of(
            ServeCommand.class,
            DemoCommand.class,
            BridgeCommand.class,
            McpCommand.class,
            ProposeCommand.class,
            ProposalsCommand.class,
            ShowCommand.class,
            ReviewCommand.class,
            ApproveCommand.class,
            RejectCommand.class,
            WithdrawCommand.class,
            StatusCommand.class,
            TopicCommand.class,
            TokenCommand.class,
            MemberCommand.class,
            ConfigCommand.class,
            LedgerCommand.class,
            HealthCommand.class,
            CompletionCommand.class,
            DemoFilesCommand.class);

    private Commands() {}

    /** Puts commands below the first one: those that it takes to understand these words. */
    static void hang(CommandLine gavel, List<String> words) {
        Optional<Class<?>> asked = named(words, COMMANDS);
        if (asked.isPresent()) {
            add(gavel, asked.get(), words.subList(1, words.size()));
            return;
        }
        // Asked for only now: who looks for services looks into every library.
        List<Class<?>> all = new ArrayList<>(COMMANDS);
        ServiceLoader.load(CommandGroup.class).stream().forEach(group -> all.add(group.type()));
        hang(gavel, all, words);
    }

    private static void hang(CommandLine parent, List<Class<?>> commands, List<String> words) {
        named(words, commands)
                .ifPresentOrElse(
                        asked -> add(parent, asked, words.subList(1, words.size())),
                        () -> commands.forEach(each -> add(parent, each, List.of())));
    }

    private static void add(CommandLine parent, Class<?> type, List<String> words) {
        CommandLine command = new CommandLine(type);
        if (command.getCommand() instanceof CommandGroup group) {
            hang(command, group.commands(), words);
        }
        parent.addSubcommand(command);
    }

    private static Optional<Class<?>> named(List<String> words, List<Class<?>> commands) {
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
