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

    private static final Map<String, List<String>> COMMANDS_BY_PURPOSE = new LinkedHashMap<>();

    static {
        COMMANDS_BY_PURPOSE.put("Run a server", List.of("serve", "demo", "config", "ledger", "health"));
        COMMANDS_BY_PURPOSE.put("Connect MCP servers and clients", List.of("bridge", "mcp"));
        COMMANDS_BY_PURPOSE.put("Propose calls", List.of("propose", "withdraw"));
        COMMANDS_BY_PURPOSE.put("View proposals and topics", List.of("proposals", "show", "calls", "topic"));
        COMMANDS_BY_PURPOSE.put("Review proposals", List.of("review", "approve", "reject", "status"));
        COMMANDS_BY_PURPOSE.put("Manage specification proposals", List.of("sep"));
        COMMANDS_BY_PURPOSE.put("Manage access", List.of("token", "member"));
    }

    private CommandListRenderer() {}

    /** Renders the subcommands of a command by purpose; commands without a purpose come last, under "Other". */
    static String render(Help help) {
        Map<String, CommandLine> remaining =
                new LinkedHashMap<>(help.commandSpec().subcommands());
        remaining
                .values()
                .removeIf(command -> command.getCommandSpec().usageMessage().hidden());
        int widest = remaining.keySet().stream().mapToInt(String::length).max().orElse(0);
        StringBuilder text = new StringBuilder();
        COMMANDS_BY_PURPOSE.forEach((purpose, names) -> {
            List<CommandLine> commands = new ArrayList<>();
            for (String name : names) {
                if (remaining.containsKey(name)) {
                    commands.add(remaining.remove(name));
                }
            }
            append(text, help, purpose, commands, widest);
        });
        append(text, help, "Other", List.copyOf(remaining.values()), widest);
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
