package dev.gavel.app.cli;

import picocli.CommandLine.Command;

/** What can be done with a configuration file. */
@Command(
        name = "config",
        description = "Work with configuration files.",
        subcommands = ConfigCheckCommand.class,
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        optionListHeading = "%nOptions:%n",
        footerHeading = "%nExamples:%n",
        footer = "  gavel config check gavel.yaml")
final class ConfigCommand extends CommandGroup {}
