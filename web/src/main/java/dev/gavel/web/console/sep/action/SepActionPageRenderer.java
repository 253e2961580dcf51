package dev.gavel.web.console.sep.action;

import dev.gavel.web.console.page.TemplateRenderer;
import java.util.Map;

/** Renders the SEP action forms and the SEP editor to HTML. Stateless. */
public final class SepActionPageRenderer {
    private SepActionPageRenderer() {}

    public static String page(SepActionPage page) {
        return TemplateRenderer.render("sep/act/page.jte", Map.of("page", page));
    }

    /** Renders a form to insert into an open page. */
    public static String form(SepActionForm form, String csrf) {
        return TemplateRenderer.render("sep/act/form.jte", Map.of("form", form, "csrf", csrf));
    }

    public static String newSep(NewSepPage page) {
        return TemplateRenderer.render("sep/act/begin.jte", Map.of("page", page));
    }

    public static String editor(SepEditorPage page) {
        return TemplateRenderer.render("sep/act/editor.jte", Map.of("page", page));
    }

    /** Renders the preview and the findings of a document, to insert beside the document. */
    public static String documentCheck(SepDocumentCheckView sepDocumentCheckView) {
        return TemplateRenderer.render("sep/act/checked.jte", Map.of("checked", sepDocumentCheckView));
    }
}
