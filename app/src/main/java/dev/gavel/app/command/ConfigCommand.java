package dev.gavel.app.command;

import dev.gavel.cli.CommandGroup;
import java.util.List;
import picocli.CommandLine.Command;

/** The {@code gavel config} command group: checks configuration files. */
@Command(
        name = "config",
        description = "Check configuration files.",
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        optionListHeading = "%nOptions:%n",
        footerHeading = "%nExamples:%n",
        footer = "  gavel config check gavel.yaml")
final class ConfigCommand extends CommandGroup {
    @Override
    protected List<Class<?>> commands() {
        return List.of(ConfigCheckCommand.class);
    }
}
