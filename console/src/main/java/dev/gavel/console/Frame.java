package dev.gavel.console;

import java.util.Optional;

/**
 * What stands around every page.
 *
 * @param title what the page is called
 * @param reader who is signed in, if anybody is
 * @param csrf what proves that a form is ours; empty where nobody is signed in
 */
public record Frame(String title, Optional<String> reader, String csrf) {
    /** Around a page for nobody in particular. */
    public static Frame plain(String title) {
        return new Frame(title, Optional.empty(), "");
    }
}
