package dev.gavel.web.console.sep.action;

import dev.gavel.web.console.page.PageLayoutData;
import java.util.Optional;

/**
 * The page on which a user writes or changes a SEP's document. Immutable.
 *
 * @param number the number of the SEP; empty for a new SEP
 * @param title the title of the SEP
 * @param path the path to which the form is submitted
 * @param text the content of the editor
 * @param base the hash of the document that the user started from; empty for a new SEP
 * @param editorial whether the user declares the edit editorial; empty if the user cannot do this
 * @param resubmitted whether the text was submitted before, so that it is newer than any draft in the browser
 * @param complaint why the document was refused
 * @param currentDocument the stored document, if another user changed it meanwhile
 */
public record SepEditorPage(
        PageLayoutData frame,
        Optional<Long> number,
        String title,
        String path,
        String text,
        String base,
        Optional<Boolean> editorial,
        boolean resubmitted,
        Optional<String> complaint,
        Optional<String> currentDocument,
        SepDocumentCheckView check) {
    /**
     * Creates a page without a complaint and without check results.
     *
     * @param typed whether the text was submitted before
     */
    public static SepEditorPage of(
            PageLayoutData frame,
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
                Optional.empty(),
                typed,
                Optional.empty(),
                Optional.empty(),
                SepDocumentCheckView.notChecked(frame.terms()));
    }

    /**
     * The key under which the browser stores the draft until the document is accepted. It contains the user's name,
     * because several users may share a browser.
     */
    public String draftKey() {
        return frame.user().map(PageLayoutData.User::name).orElse("") + ":"
                + number.map(known -> "sep-" + known).orElse("new-" + title);
    }

    /**
     * Returns a copy for a user who can declare the edit editorial.
     *
     * @param declared whether the user does
     */
    public SepEditorPage withEditorial(boolean declared) {
        return new SepEditorPage(
                frame,
                number,
                title,
                path,
                text,
                base,
                Optional.of(declared),
                resubmitted,
                complaint,
                currentDocument,
                check);
    }

    /** Returns a copy that shows the user why the document was refused. */
    public SepEditorPage withComplaint(String reason) {
        return new SepEditorPage(
                frame, number, title, path, text, base, editorial, true, Optional.of(reason), currentDocument, check);
    }

    /** Returns a copy with the document that another user saved meanwhile. */
    public SepEditorPage withCurrentDocument(String other) {
        return new SepEditorPage(
                frame, number, title, path, text, base, editorial, resubmitted, complaint, Optional.of(other), check);
    }

    /** Returns a copy with the preview and the findings of the document. */
    public SepEditorPage withCheck(SepDocumentCheckView now) {
        return new SepEditorPage(
                frame, number, title, path, text, base, editorial, resubmitted, complaint, currentDocument, now);
    }
}
