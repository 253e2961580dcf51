package dev.gavel.app.command;

import dev.gavel.app.config.LedgerConfig;
import dev.gavel.app.ledger.LedgerHandle;
import dev.gavel.cli.CommandException;
import dev.gavel.cli.ExitCode;
import dev.gavel.ledger.ReadableLedger;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The location of an existing ledger, which maintenance commands open. Immutable.
 *
 * @param file the file, where it is in one
 */
public record LedgerLocation(LedgerConfig config, Path file) {
    /** Opens it for reading, beside servers that run. */
    public ReadableLedger openReadOnly() {
        try {
            return LedgerHandle.openReadOnly(config, file);
        } catch (IOException e) {
            throw refused(e);
        }
    }

    /** Opens it for changing, when no server runs. */
    LedgerHandle openExclusive() {
        try {
            return LedgerHandle.openExclusive(config, file);
        } catch (IOException e) {
            throw refused(e);
        }
    }

    private static CommandException refused(IOException e) {
        return new CommandException(ExitCode.USAGE, String.valueOf(e.getMessage()));
    }
}
