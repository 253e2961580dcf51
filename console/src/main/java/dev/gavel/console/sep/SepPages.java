package dev.gavel.console.sep;

import dev.gavel.console.Templates;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** Writes the pages about SEPs that people read. Stateless. */
public final class SepPages {
    /** Where they are. */
    public static final String PATH = "/console/seps";

    private SepPages() {}

    public static String board(Board board, Instant now) {
        return fill("board", board, now);
    }

    public static String state(StatePage page, Instant now) {
        return fill("state", page, now);
    }

    /**
     * A SEP's page.
     *
     * @param did what its reader has just done to it, in a sentence
     */
    public static String sep(SepPage page, Optional<String> did, Instant now) {
        return Templates.fill("sep/sep.jte", Map.of("page", page, "did", did.orElse(""), "now", now));
    }

    public static String triage(Triage page, Instant now) {
        return fill("triage", page, now);
    }

    public static String sponsors(Sponsors page) {
        return Templates.fill("sep/sponsors.jte", Map.of("page", page));
    }

    public static String figures(Figures page, Instant now) {
        return fill("stats", page, now);
    }

    public static String notice(SepNotice page) {
        return Templates.fill("sep/notice.jte", Map.of("page", page));
    }

    private static String fill(String name, Object page, Instant now) {
        return Templates.fill("sep/" + name + ".jte", Map.of("page", page, "now", now));
    }
}
