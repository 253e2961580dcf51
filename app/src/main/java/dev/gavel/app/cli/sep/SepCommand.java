package dev.gavel.app.cli.sep;

import dev.gavel.app.cli.CommandGroup;
import java.util.List;
import picocli.CommandLine.Command;

/** What concerns specification proposals hangs below this. */
@Command(
        name = "sep",
        description = "Take specification proposals through their process.",
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        optionListHeading = "%nOptions:%n",
        footerHeading = "%nExamples:%n",
        footer = {
            "  gavel sep new \"Paging for every list\"",
            "  gavel sep lint 0000-paging-for-every-list.md",
            "  gavel sep submit 0000-paging-for-every-list.md",
            "  gavel sep next 1286           where it stands, and what to do",
            "  gavel sep inbox               what waits for you",
            "  gavel sep board --html site   a site that shows how all of them stand",
        })
public final class SepCommand extends CommandGroup {
    @Override
    protected List<Class<?>> commands() {
        return List.of(
                NewCommand.class,
                LintCommand.class,
                SubmitCommand.class,
                EditCommand.class,
                CommentCommand.class,
                AskCommand.class,
                AttachCommand.class,
                WithdrawCommand.class,
                TransferCommand.class,
                NextCommand.class,
                ShowCommand.class,
                ExplainCommand.class,
                HistoryCommand.class,
                ListCommand.class,
                SimilarCommand.class,
                InboxCommand.class,
                TriageCommand.class,
                MaintainersCommand.class,
                SponsorCommand.class,
                StepDownCommand.class,
                MoveCommand.class,
                VoteCommand.class,
                HoldCommand.class,
                ReleaseCommand.class,
                SupersedeCommand.class,
                SweepCommand.class,
                StatsCommand.class,
                ImportCommand.class,
                ExportCommand.class);
    }
}
