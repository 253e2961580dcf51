package dev.gavel.sep.board;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Lowers the headings of a rendered document by one level, so that it fits below the page's own heading. Stateless. */
final class HtmlHeadingDemoter {
    /** Matches heading tags and nothing else, because safe HTML has no bare angle bracket in texts and attributes. */
    private static final Pattern TAG = Pattern.compile("<(/?)h([1-6])(?=[\\s>])");

    private static final Pattern FIRST = Pattern.compile("\\A\\s*<h1(?:\\s[^>]*)?>.*?</h1>", Pattern.DOTALL);

    private HtmlHeadingDemoter() {}

    /** Lowers all headings by one level and removes the document's title, which the page shows already. */
    static String demote(String safe) {
        Matcher tags = TAG.matcher(FIRST.matcher(safe).replaceFirst(""));
        return tags.replaceAll(tag -> "<" + tag.group(1) + "h" + Math.min(6, Integer.parseInt(tag.group(2)) + 1));
    }
}
