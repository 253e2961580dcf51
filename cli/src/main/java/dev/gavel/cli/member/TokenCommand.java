package dev.gavel.cli.member;

import dev.gavel.cli.CommandGroup;
import java.util.List;
import picocli.CommandLine.Command;

/** The {@code gavel token} command group: lists, creates and revokes tokens, and sets the roles of identities. */
@Command(
        name = "token",
        description = "Create and revoke tokens, and set roles (admins only).",
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        optionListHeading = "%nOptions:%n",
        footerHeading = "%nExamples:%n",
        footer = {
            "  gavel token create bob --topic ops --capability 'chat.*' --expires 30d",
            "  gavel token list",
            "  gavel token revoke helper",
        })
public final class TokenCommand extends CommandGroup {
    @Override
    protected List<Class<?>> commands() {
        return List.of(
                TokenCreateCommand.class, TokenListCommand.class, TokenSetRolesCommand.class, TokenRevokeCommand.class);
    }
}
