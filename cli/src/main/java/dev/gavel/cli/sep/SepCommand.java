package dev.gavel.cli.sep;

import dev.gavel.cli.CommandGroup;
import java.util.List;
import picocli.CommandLine.Command;

/** The {@code gavel sep} command group: reads, writes, moves and checks SEPs. */
@Command(
        name = "sep",
        description = "Manage specification proposals.",
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        optionListHeading = "%nOptions:%n",
        footerHeading = "%nExamples:%n",
        footer = {
            "  gavel sep new \"Paging for every list\"",
            "  gavel sep lint 0000-paging-for-every-list.md",
            "  gavel sep submit 0000-paging-for-every-list.md",
            "  gavel sep next 1286           show the status and the next step",
            "  gavel sep inbox               list the proposals that wait for you",
            "  gavel sep board --html site   write a website about all proposals",
        })
public final class SepCommand extends CommandGroup {
    @Override
    protected List<Class<?>> commands() {
        return List.of(
                SepNewDocumentCommand.class,
                SepLintCommand.class,
                SepSubmitCommand.class,
                SepEditCommand.class,
                SepCommentCommand.class,
                SepAskPersonCommand.class,
                SepAttachEvidenceCommand.class,
                SepWithdrawCommand.class,
                SepTransferCommand.class,
                SepNextStepCommand.class,
                SepShowCommand.class,
                SepExplainMoveCommand.class,
                SepHistoryCommand.class,
                SepDiffCommand.class,
                SepListCommand.class,
                SepSimilarCommand.class,
                SepInboxCommand.class,
                SepTriageListCommand.class,
                SepMaintainersCommand.class,
                SepSponsorCommand.class,
                SepStepDownCommand.class,
                SepMoveCommand.class,
                SepVoteCommand.class,
                SepConfirmEvidenceCommand.class,
                SepHoldCommand.class,
                SepReleaseHoldCommand.class,
                SepSupersedeCommand.class,
                SepSweepCommand.class,
                SepStatsCommand.class,
                SepImportCommand.class,
                SepExportCommand.class);
    }
}
