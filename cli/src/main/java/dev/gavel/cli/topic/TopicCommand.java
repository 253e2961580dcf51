package dev.gavel.cli.topic;

import dev.gavel.cli.CommandGroup;
import java.util.List;
import picocli.CommandLine.Command;

/** The {@code gavel topic} command group: lists topics and watches their envelopes. */
@Command(
        name = "topic",
        description = "List and watch topics.",
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        optionListHeading = "%nOptions:%n",
        footerHeading = "%nExamples:%n",
        footer = {
            "  gavel topic list",
            "  gavel topic watch main",
        })
public final class TopicCommand extends CommandGroup {
    @Override
    protected List<Class<?>> commands() {
        return List.of(TopicListCommand.class, TopicWatchCommand.class);
    }
}
