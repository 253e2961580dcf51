package dev.gavel.web.console.sep;

import dev.gavel.web.console.page.TemplateRenderer;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** Renders the console's SEP pages, such as the board, a single SEP and the statistics, to HTML. Stateless. */
public final class SepPageRenderer {
    /** The path of the board, below which all SEP pages are. */
    public static final String PATH = "/console/seps";

    private SepPageRenderer() {}

    public static String board(SepBoardPage sepBoardPage, Instant now) {
        return render("board", sepBoardPage, now);
    }

    public static String state(SepsInStatePage page, Instant now) {
        return render("state", page, now);
    }

    /**
     * Renders a SEP's page.
     *
     * @param confirmation the confirmation of the reader's last action
     */
    public static String sep(SepDetailPage page, Optional<String> confirmation, Instant now) {
        return TemplateRenderer.render("sep/sep.jte", Map.of("page", page, "did", confirmation.orElse(""), "now", now));
    }

    public static String triage(SepTriagePage page, Instant now) {
        return render("triage", page, now);
    }

    public static String sponsors(SepSponsorsPage page) {
        return TemplateRenderer.render("sep/sponsors.jte", Map.of("page", page));
    }

    public static String statistics(SepStatisticsPage page, Instant now) {
        return render("stats", page, now);
    }

    public static String notice(SepErrorPage page) {
        return TemplateRenderer.render("sep/notice.jte", Map.of("page", page));
    }

    private static String render(String name, Object page, Instant now) {
        return TemplateRenderer.render("sep/" + name + ".jte", Map.of("page", page, "now", now));
    }
}
