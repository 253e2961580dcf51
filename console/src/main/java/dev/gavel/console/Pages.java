package dev.gavel.console;

import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.StringOutput;
import java.time.Instant;
import java.util.Map;

/** Writes pages and parts of them, as HTML. The templates are loaded when the first is wanted. Thread-safe. */
public final class Pages {
    private Pages() {}

    /** Loaded with the first page, not with the program. */
    private static final class Templates {
        static final TemplateEngine ENGINE = TemplateEngine.createPrecompiled(
                null, ContentType.Html, Pages.class.getClassLoader(), "dev.gavel.console.templates");
    }

    public static String inbox(Inbox inbox, Instant now) {
        return render("inbox.jte", Map.of("inbox", inbox, "now", now));
    }

    public static String proposal(ProposalPage page, Instant now) {
        return render("proposal.jte", Map.of("page", page, "now", now));
    }

    /** One card, to be put into a page that is open. */
    public static String card(Card card, String csrf, Instant now) {
        return render("card.jte", Map.of("card", card, "csrf", csrf, "now", now));
    }

    public static String signIn(SignIn page) {
        return render("signIn.jte", Map.of("page", page));
    }

    /** A page that asks for itself again. */
    public static String again() {
        return render("again.jte", Map.of());
    }

    public static String refused(Refused page) {
        return render("refused.jte", Map.of("page", page));
    }

    /** A sentence, to be put into a page that is open. */
    public static String line(String words) {
        return render("line.jte", Map.of("words", words));
    }

    private static String render(String template, Map<String, Object> values) {
        StringOutput output = new StringOutput();
        Templates.ENGINE.render(template, values, output);
        return output.toString();
    }
}
