package dev.gavel.sep;

import dev.gavel.lifecycle.history.History;
import dev.gavel.lifecycle.history.Standing;
import dev.gavel.sep.document.Outline;

/**
 * A specification proposal as the ledger has it. Immutable.
 *
 * @param outline what its document says
 * @param document the SHA-256 of its text, in hexadecimal digits, by which the text is found
 */
public record Sep(int number, History history, Outline outline, String document) {
    /** How it stands. */
    public Standing standing() {
        return history.standing().orElseThrow(() -> new IllegalStateException("SEP " + number + " has not begun"));
    }

    /** The state it is in. */
    public String state() {
        return standing().state();
    }

    /** What it is called: as its attributes say, which follow its document. */
    public String title() {
        String said = standing().attributes().get("title");
        return said == null ? outline.title() : said;
    }
}
