package dev.gavel.sep.render;

import dev.gavel.mcpx.text.SafeText;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.owasp.html.HtmlPolicyBuilder;
import org.owasp.html.HtmlStreamEventReceiver;
import org.owasp.html.HtmlStreamEventReceiverWrapper;
import org.owasp.html.HtmlStreamRenderer;
import org.owasp.html.PolicyFactory;

/**
 * Sanitizes rendered HTML: allows text formatting and links, replaces images by links, shows hidden characters as
 * escapes, and removes the rest.
 * Thread-safe.
 */
final class HtmlSanitizer {
    private static final Pattern LANGUAGE = Pattern.compile("language-[A-Za-z0-9+#._-]{1,40}");
    private static final Pattern ID = Pattern.compile("[\\p{L}\\p{N}_.-]{1,120}");
    private static final Pattern ALIGNMENT = Pattern.compile("left|right|center");
    private static final Pattern SPAN = Pattern.compile("[1-9][0-9]{0,2}");

    private static final PolicyFactory FACTORY = new HtmlPolicyBuilder()
            .allowElements(
                    "p",
                    "h1",
                    "h2",
                    "h3",
                    "h4",
                    "h5",
                    "h6",
                    "ul",
                    "ol",
                    "li",
                    "blockquote",
                    "pre",
                    "code",
                    "em",
                    "strong",
                    "del",
                    "ins",
                    "hr",
                    "br",
                    "table",
                    "thead",
                    "tbody",
                    "tfoot",
                    "tr",
                    "th",
                    "td",
                    "caption",
                    "a",
                    "b",
                    "i",
                    "u",
                    "s",
                    "sub",
                    "sup",
                    "kbd",
                    "samp",
                    "var",
                    "small",
                    "details",
                    "summary",
                    "dl",
                    "dt",
                    "dd",
                    "div",
                    "span")
            .allowAttributes("href")
            .matching((element, attribute, value) ->
                    value.startsWith("#") && value.length() > 1 ? "#" + withPrefix(value.substring(1)) : value)
            .onElements("a")
            .allowAttributes("id")
            .matching((element, attribute, value) -> ID.matcher(value).matches() ? withPrefix(value) : null)
            .onElements("h1", "h2", "h3", "h4", "h5", "h6", "a")
            .allowAttributes("class")
            .matching(LANGUAGE)
            .onElements("code")
            .allowAttributes("align")
            .matching(ALIGNMENT)
            .onElements("th", "td")
            .allowAttributes("colspan", "rowspan", "start")
            .matching(SPAN)
            .onElements("th", "td", "ol")
            .allowUrlProtocols("http", "https", "mailto")
            .requireRelsOnLinks("nofollow", "noopener", "noreferrer")
            .toFactory();

    private HtmlSanitizer() {}

    /**
     * Sanitized HTML.
     *
     * @param complete whether it shows all text of the input readably, and {@code <details>} contains only the text that
     *     its author put there
     * @param indentation the depth of its deepest list or quotation
     */
    record Result(String html, boolean complete, int indentation) {}

    static Result sanitize(String html) {
        StringBuilder sanitized = new StringBuilder(html.length());
        NestingRecorder nesting = new NestingRecorder(HtmlStreamRenderer.create(sanitized, error -> {}));
        VisibleTextRecorder output = new VisibleTextRecorder(nesting);
        List<VisibleTextRecorder> input = new ArrayList<>();
        // The preprocessor receives the tags as they are written; afterwards, the sanitizer closes and removes tags.
        org.owasp.html.HtmlSanitizer.sanitize(html, FACTORY.apply(output), sink -> {
            input.add(new VisibleTextRecorder(sink));
            return new ImageLinkRewriter(new HiddenCharacterEscaper(input.getFirst()));
        });
        return new Result(
                sanitized.toString(),
                input.getFirst().recorded().equals(output.recorded()) && nesting.isReadable(),
                nesting.indentation());
    }

    private static String withPrefix(String id) {
        return id.startsWith(MarkdownRenderer.ID_PREFIX) ? id : MarkdownRenderer.ID_PREFIX + id;
    }

    /** Shows hidden characters as escapes. */
    @SuppressWarnings("try") // the wrapper is closeable, but is never closed
    private static final class HiddenCharacterEscaper extends HtmlStreamEventReceiverWrapper {
        HiddenCharacterEscaper(HtmlStreamEventReceiver next) {
            super(next);
        }

        @Override
        public void text(String text) {
            super.text(SafeText.lines(text));
        }
    }

    /** Replaces images by links: loading an external image would reveal to its owner who reads the page. */
    @SuppressWarnings("try") // the wrapper is closeable, but is never closed
    private static final class ImageLinkRewriter extends HtmlStreamEventReceiverWrapper {
        private int links;

        ImageLinkRewriter(HtmlStreamEventReceiver next) {
            super(next);
        }

        @Override
        public void openTag(String element, List<String> attributes) {
            if (!element.equals("img")) {
                links += element.equals("a") ? 1 : 0;
                super.openTag(element, attributes);
                return;
            }
            String alternative = attribute(attributes, "alt");
            String words = alternative.isBlank() ? "image" : alternative;
            if (links > 0) {
                super.text(words);
            } else {
                super.openTag("a", new ArrayList<>(List.of("href", attribute(attributes, "src"))));
                super.text(words);
                super.closeTag("a");
            }
        }

        @Override
        public void closeTag(String element) {
            if (element.equals("a")) {
                links = Math.max(0, links - 1);
            }
            if (!element.equals("img")) {
                super.closeTag(element);
            }
        }

        private static String attribute(List<String> attributes, String name) {
            for (int i = 0; i + 1 < attributes.size(); i += 2) {
                if (attributes.get(i).equals(name)) {
                    return attributes.get(i + 1);
                }
            }
            return "";
        }
    }
}
