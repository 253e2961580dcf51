package dev.gavel.console.sep.act;

import dev.gavel.console.Frame;
import java.util.Optional;

/**
 * The page where a document is written. Immutable.
 *
 * @param number the SEP it is; none where it is new
 * @param title what it is called
 * @param path where it is sent
 * @param text what stands in it
 * @param base the hash of the document it was made from; empty where it is new
 * @param typed whether it was sent before and came back, so that what stands in it is the latest there is
 * @param complaint why it was not taken
 * @param theirs the document as it is now, where somebody changed it meanwhile
 */
public record Editor(
        Frame frame,
        Optional<Long> number,
        String title,
        String path,
        String text,
        String base,
        boolean typed,
        Optional<String> complaint,
        Optional<String> theirs,
        Checked checked) {
    /**
     * A page with nothing but the text on it.
     *
     * @param typed whether it was sent before
     */
    public static Editor of(
            Frame frame, Optional<Long> number, String title, String path, String text, String base, boolean typed) {
        return new Editor(
                frame, number, title, path, text, base, typed, Optional.empty(), Optional.empty(), Checked.NOTHING);
    }

    /** What a browser keeps it by until it is taken; whose it is belongs to it, since several may use one browser. */
    public String draft() {
        return frame.reader().map(Frame.Reader::name).orElse("") + ":"
                + number.map(known -> "sep-" + known).orElse("new-" + title);
    }

    /** The same, as it comes back to whoever sent it. */
    public Editor back(String why) {
        return new Editor(frame, number, title, path, text, base, true, Optional.of(why), theirs, checked);
    }

    /** The same, with the document that somebody else made of it. */
    public Editor beside(String other) {
        return new Editor(frame, number, title, path, text, base, typed, complaint, Optional.of(other), checked);
    }

    /** The same, with how it looks. */
    public Editor looking(Checked now) {
        return new Editor(frame, number, title, path, text, base, typed, complaint, theirs, now);
    }
}
