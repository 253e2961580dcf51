package dev.gavel.web.console.page;

import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.StringOutput;
import java.util.Map;

/**
 * Renders the precompiled JTE templates to HTML. They are loaded when the first is wanted, not with the program.
 * Thread-safe.
 */
public final class TemplateRenderer {
    private static final TemplateEngine ENGINE = TemplateEngine.createPrecompiled(
            null, ContentType.Html, TemplateRenderer.class.getClassLoader(), "dev.gavel.web.console.templates");

    private TemplateRenderer() {}

    /**
     * A page, or a part of one.
     *
     * @param template its path in {@code src/main/jte}
     */
    public static String render(String template, Map<String, Object> values) {
        StringOutput output = new StringOutput();
        ENGINE.render(template, values, output);
        return output.toString();
    }
}
