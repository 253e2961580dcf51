package dev.gavel.app.cli;

import picocli.CommandLine.Command;

/** What concerns whole topics hangs below this. */
@Command(
        name = "topic",
        description = "Look at topics.",
        subcommands = {TopicListCommand.class, WatchCommand.class},
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        optionListHeading = "%nOptions:%n",
        footerHeading = "%nExamples:%n",
        footer = {
            "  gavel topic list",
            "  gavel topic watch main",
        })
final class TopicCommand extends CommandGroup {}
