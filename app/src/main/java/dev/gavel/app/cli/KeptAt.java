package dev.gavel.app.cli;

import dev.gavel.app.config.LedgerPlace;
import dev.gavel.app.keeping.Keeping;
import dev.gavel.ledger.LedgerView;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Where a ledger is kept, for commands that read or mend it. Immutable.
 *
 * @param file the file, where it is in one
 */
public record KeptAt(LedgerPlace place, Path file) {
    /** Opens it for reading, beside servers that run. */
    public LedgerView view() {
        try {
            return Keeping.view(place, file);
        } catch (IOException e) {
            throw refused(e);
        }
    }

    /** Opens it for changing, when no server runs. */
    Keeping openAlone() {
        try {
            return Keeping.openAlone(place, file);
        } catch (IOException e) {
            throw refused(e);
        }
    }

    private static Complaint refused(IOException e) {
        return new Complaint(ExitCode.USAGE, String.valueOf(e.getMessage()));
    }
}
