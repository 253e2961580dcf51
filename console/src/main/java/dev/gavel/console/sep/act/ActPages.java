package dev.gavel.console.sep.act;

import dev.gavel.console.Templates;
import java.util.Map;

/** Writes what SEPs are changed by. Stateless. */
public final class ActPages {
    private ActPages() {}

    public static String page(ActPage page) {
        return Templates.fill("sep/act/page.jte", Map.of("page", page));
    }

    /** A form, to be put into a page that is open. */
    public static String form(ActForm form, String csrf) {
        return Templates.fill("sep/act/form.jte", Map.of("form", form, "csrf", csrf));
    }

    public static String begin(Begin page) {
        return Templates.fill("sep/act/begin.jte", Map.of("page", page));
    }

    public static String editor(Editor page) {
        return Templates.fill("sep/act/editor.jte", Map.of("page", page));
    }

    /** How a document looks now, to be put beside it. */
    public static String checked(Checked checked) {
        return Templates.fill("sep/act/checked.jte", Map.of("checked", checked));
    }
}
