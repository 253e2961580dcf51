package dev.gavel.cli.member;

import dev.gavel.cli.CommandGroup;
import java.util.List;
import picocli.CommandLine.Command;

/** The {@code gavel member} command group: lists and changes a topic's members. */
@Command(
        name = "member",
        description = "List and change a topic's members and their capabilities.",
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        optionListHeading = "%nOptions:%n",
        footerHeading = "%nExamples:%n",
        footer = {
            "  gavel member list ops",
            "  gavel member set ops helper --capability 'mcp.proposal.*'",
            "  gavel member remove ops helper",
        })
public final class MemberCommand extends CommandGroup {
    @Override
    protected List<Class<?>> commands() {
        return List.of(
                MemberListCommand.class, MemberSetCommand.class, MemberRemoveCommand.class, MemberResetCommand.class);
    }
}
