package dev.gavel.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.UsageMessageSpec;

/** Renders the command list of {@code gavel --help}, grouped by purpose. Stateless. */
final class CommandListRenderer {
    /** The keys of the help sections for the command list: its heading and the list. */
    static final List<String> SECTIONS =
            List.of(UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING, UsageMessageSpec.SECTION_KEY_COMMAND_LIST);

    private static final Map<String, List<String>> PURPOSES = new LinkedHashMap<>();

    static {
        PURPOSES.put("Running a gateway", List.of("serve", "demo", "config", "ledger", "health"));
        PURPOSES.put("MCP servers and clients", List.of("bridge", "mcp"));
        PURPOSES.put("Proposing", List.of("propose", "withdraw"));
        PURPOSES.put("Seeing", List.of("proposals", "show", "topic"));
        PURPOSES.put("Deciding", List.of("review", "approve", "reject", "status"));
        PURPOSES.put("Specification proposals", List.of("sep"));
        PURPOSES.put("Who may do what", List.of("token", "member"));
    }

    private CommandListRenderer() {}

    /** Renders the subcommands of a command by purpose; commands without a purpose come last, under "More". */
    static String render(Help help) {
        Map<String, CommandLine> left = new LinkedHashMap<>(help.commandSpec().subcommands());
        left.values()
                .removeIf(command -> command.getCommandSpec().usageMessage().hidden());
        int widest = left.keySet().stream().mapToInt(String::length).max().orElse(0);
        StringBuilder text = new StringBuilder();
        PURPOSES.forEach((purpose, names) -> {
            List<CommandLine> commands = new ArrayList<>();
            for (String name : names) {
                if (left.containsKey(name)) {
                    commands.add(left.remove(name));
                }
            }
            append(text, help, purpose, commands, widest);
        });
        append(text, help, "More", List.copyOf(left.values()), widest);
        return text.toString();
    }

    private static void append(StringBuilder text, Help help, String purpose, List<CommandLine> commands, int widest) {
        if (commands.isEmpty()) {
            return;
        }
        text.append(" ").append(purpose).append(System.lineSeparator());
        for (CommandLine command : commands) {
            String name = command.getCommandName();
            text.append("   ")
                    .append(help.colorScheme().commandText(name))
                    .append(" ".repeat(widest - name.length() + 2))
                    .append(command.getCommandSpec().usageMessage().description()[0])
                    .append(System.lineSeparator());
        }
    }
}
