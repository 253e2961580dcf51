package dev.gavel.sep.board;

import dev.gavel.sep.chart.MarkupBuilder;
import dev.gavel.sep.stats.StatsTextFormatter;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Writes the HTML head, navigation and footer that all pages of the static SEP board share, and formats dates and
 * links. Stateless.
 */
final class BoardPageFrameWriter {
    /** Content Security Policy: blocks scripts and external resources, whatever a document contains. */
    private static final String POLICY =
            "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'";

    private static final Pattern ADDRESS = Pattern.compile("(?i)https?://[^\\s\"'<>\\\\^`{|}]{1,2000}");

    private BoardPageFrameWriter() {}

    /** The pages in the navigation of every page. */
    enum Tab {
        BOARD("index.html", "Board"),
        PENDING_ACTIONS("whose.html", "Pending actions"),
        STATS("stats.html", "Statistics"),
        /** A page that is not in the navigation. */
        OTHER("", "");

        private final String file;
        private final String label;

        Tab(String file, String label) {
            this.file = file;
            this.label = label;
        }
    }

    /**
     * Returns a complete HTML page.
     *
     * @param root the relative path from the page to the site's root: empty, or {@code ../}
     * @param main safe HTML
     */
    static String page(BoardInput input, String title, Tab tab, String root, MarkupBuilder main) {
        MarkupBuilder html = new MarkupBuilder();
        html.add("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
        html.add("<meta http-equiv=\"Content-Security-Policy\" content=\"")
                .raw(POLICY)
                .add("\">\n");
        html.add("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
        html.add("<meta name=\"color-scheme\" content=\"light dark\">\n");
        html.add("<meta name=\"referrer\" content=\"no-referrer\">\n");
        html.add("<title>%s</title>\n", tab == Tab.BOARD ? input.title() : title + " – " + input.title());
        html.add("<link rel=\"icon\" href=\"%sassets/icon.svg\">\n", root);
        html.add("<link rel=\"stylesheet\" href=\"%sassets/board.css\">\n</head>\n<body>\n", root);
        html.add("<a class=\"skip\" href=\"#main\">Skip to content</a>\n<header class=\"top\">\n");
        html.add("<a class=\"brand\" href=\"%sindex.html\"><img src=\"%sassets/icon.svg\"", root, root);
        html.add(" width=\"22\" height=\"22\" alt=\"\">%s</a>\n<nav aria-label=\"Pages\">\n", input.title());
        for (Tab each : Tab.values()) {
            if (each != Tab.OTHER) {
                html.add("<a href=\"%s%s\"", root, each.file);
                html.add((each == tab ? " aria-current=\"page\"" : "") + ">%s</a>\n", each.label);
            }
        }
        html.add("</nav>\n</header>\n<main id=\"main\" tabindex=\"-1\">\n").raw(main.toString());
        html.add("</main>\n<footer>As of ").raw(dayTag(input.now()));
        html.add(". Process: <i>%s</i>. %s Made with Gavel.</footer>\n</body>\n</html>\n", title(input), input.note());
        return html.toString();
    }

    private static String title(BoardInput input) {
        return input.processDefinition().title().isBlank()
                ? input.processDefinition().name()
                : input.processDefinition().title();
    }

    /** Returns the UTC day as a {@code time} element. */
    static String dayTag(Instant at) {
        String day = at.atZone(ZoneOffset.UTC).toLocalDate().toString();
        return "<time datetime=\"" + day + "\">" + day + "</time>";
    }

    /** Returns the time between two moments as text. */
    static String age(Instant since, Instant now) {
        return StatsTextFormatter.formatDuration(Duration.between(since, now));
    }

    /** Returns the text as a link if it is a web address and nothing else, otherwise the escaped text. */
    static String linkify(String text) {
        String stripped = text.strip();
        return webAddress(stripped)
                .map(address -> new MarkupBuilder()
                        .add("<a href=\"%s\" rel=\"nofollow noopener\">%s</a>", address, address)
                        .toString())
                .orElseGet(() -> MarkupBuilder.escape(stripped));
    }

    /** Returns the text if it is an HTTP or HTTPS address that a link may point to. */
    static Optional<String> webAddress(String text) {
        return Optional.of(text.strip())
                .filter(stripped -> ADDRESS.matcher(stripped).matches());
    }

    /** Returns a state's name in a form that is valid as an element id and as a URL fragment. */
    static String slug(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
    }
}
