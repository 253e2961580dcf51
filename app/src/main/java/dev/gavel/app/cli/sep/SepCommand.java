package dev.gavel.app.cli.sep;

import dev.gavel.app.cli.CommandGroup;
import picocli.CommandLine.Command;

/** What concerns specification proposals hangs below this. */
@Command(
        name = "sep",
        description = "Write specification proposals and take them through their process.",
        subcommands = {NewCommand.class, LintCommand.class, BoardCommand.class},
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        optionListHeading = "%nOptions:%n",
        footerHeading = "%nExamples:%n",
        footer = {
            "  gavel sep new \"Paging for every list\"",
            "  gavel sep lint 0000-paging-for-every-list.md",
            "  gavel sep board --html site seps/",
        })
public final class SepCommand extends CommandGroup {}
