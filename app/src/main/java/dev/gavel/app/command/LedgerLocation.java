package dev.gavel.app.command;

import dev.gavel.app.config.LedgerConfig;
import dev.gavel.app.ledger.LedgerHandle;
import dev.gavel.cli.CommandException;
import dev.gavel.cli.ExitCode;
import dev.gavel.ledger.ReadableLedger;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Says where the configured ledger is stored, and opens it for commands that run without a server. Immutable.
 *
 * @param file the SQLite file, if the ledger is in one
 */
public record LedgerLocation(LedgerConfig config, Path file) {
    /** Opens the ledger for reading; servers may be running. */
    public ReadableLedger openReadOnly() {
        try {
            return LedgerHandle.openReadOnly(config, file);
        } catch (IOException e) {
            throw refused(e);
        }
    }

    /** Opens the ledger for changes; no server may be running. */
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
