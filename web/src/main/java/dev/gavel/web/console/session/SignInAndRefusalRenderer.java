package dev.gavel.web.console.session;

import dev.gavel.web.console.page.TemplateRenderer;
import java.util.Map;

/**
 * Renders the console's sign-in and refusal pages, short messages, and a page that reloads itself so that the browser
 * sends its session cookie. Stateless.
 */
public final class SignInAndRefusalRenderer {
    private SignInAndRefusalRenderer() {}

    public static String signIn(SignInPage page) {
        return TemplateRenderer.render("signIn.jte", Map.of("page", page));
    }

    /** Renders a page that loads itself again. */
    public static String reload() {
        return TemplateRenderer.render("again.jte", Map.of());
    }

    public static String refusal(RefusalPage page) {
        return TemplateRenderer.render("refused.jte", Map.of("page", page));
    }

    /** Renders a sentence to insert into an open page. */
    public static String message(String words) {
        return TemplateRenderer.render("line.jte", Map.of("words", words));
    }
}
