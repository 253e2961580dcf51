package dev.gavel.web.console.page;

import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.StringOutput;
import java.util.Map;

/**
 * Renders the precompiled JTE templates to HTML. The templates are loaded on first use, not when the program starts.
 * Thread-safe.
 */
public final class TemplateRenderer {
    private static final TemplateEngine ENGINE = TemplateEngine.createPrecompiled(
            null, ContentType.Html, TemplateRenderer.class.getClassLoader(), "dev.gavel.web.console.templates");

    private TemplateRenderer() {}

    /**
     * Renders a page, or a part of a page.
     *
     * @param template the path of the template in {@code src/main/jte}
     */
    public static String render(String template, Map<String, Object> values) {
        StringOutput output = new StringOutput();
        ENGINE.render(template, values, output);
        return output.toString();
    }
}
