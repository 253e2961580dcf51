package dev.gavel.web.console.sep.action;

import dev.gavel.web.console.page.PageFrame;
import java.util.Optional;

/**
 * The page on which a user writes or changes a SEP's document. Immutable.
 *
 * @param number the SEP it is; none where it is new
 * @param title what it is called
 * @param path where it is sent
 * @param text what stands in it
 * @param base the hash of the document it was made from; empty where it is new
 * @param resubmitted whether it was sent before and came back, so that what stands in it is the latest there is
 * @param complaint why it was not taken
 * @param currentDocument the document as it is now, where somebody changed it meanwhile
 */
public record SepEditorPage(
        PageFrame frame,
        Optional<Long> number,
        String title,
        String path,
        String text,
        String base,
        boolean resubmitted,
        Optional<String> complaint,
        Optional<String> currentDocument,
        SepDocumentCheckView check) {
    /**
     * A page with nothing but the text on it.
     *
     * @param typed whether it was sent before
     */
    public static SepEditorPage of(
            PageFrame frame,
            Optional<Long> number,
            String title,
            String path,
            String text,
            String base,
            boolean typed) {
        return new SepEditorPage(
                frame,
                number,
                title,
                path,
                text,
                base,
                typed,
                Optional.empty(),
                Optional.empty(),
                SepDocumentCheckView.NOT_CHECKED);
    }

    /** What a browser keeps it by until it is taken; whose it is belongs to it, since several may use one browser. */
    public String draftKey() {
        return frame.user().map(PageFrame.User::name).orElse("") + ":"
                + number.map(known -> "sep-" + known).orElse("new-" + title);
    }

    /** The same, as it comes back to whoever sent it. */
    public SepEditorPage withComplaint(String why) {
        return new SepEditorPage(
                frame, number, title, path, text, base, true, Optional.of(why), currentDocument, check);
    }

    /** The same, with the document that somebody else made of it. */
    public SepEditorPage withCurrentDocument(String other) {
        return new SepEditorPage(
                frame, number, title, path, text, base, resubmitted, complaint, Optional.of(other), check);
    }

    /** The same, with how it looks. */
    public SepEditorPage withCheck(SepDocumentCheckView now) {
        return new SepEditorPage(frame, number, title, path, text, base, resubmitted, complaint, currentDocument, now);
    }
}
