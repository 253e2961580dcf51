package dev.gavel.console.sep;

import dev.gavel.console.Frame;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The page of a SEP.
 *
 * @param card what lists say of it
 * @param submitted when it was
 * @param outlook what can become of it
 * @param earlierComments how many comments there are before those
 * @param earlierHistory how much happened before what is told
 * @param told what the desk said of it, for those who act on it
 */
public record SepPage(
        Frame frame,
        SepCard card,
        Instant submitted,
        Optional<String> discussion,
        Guide guide,
        Rail rail,
        Outlook outlook,
        List<Given> evidence,
        Optional<Votes> votes,
        List<Related> related,
        List<Comment> comments,
        int earlierComments,
        List<Happening> history,
        int earlierHistory,
        Paper paper,
        Told told) {
    private static final int MOST_COMMENTS = 100;
    private static final int MOST_HISTORY = 50;

    public SepPage {
        evidence = List.copyOf(evidence);
        related = List.copyOf(related);
        comments = List.copyOf(comments);
        history = List.copyOf(history);
    }

    /** What the desk answers about a SEP to one reader. */
    public record Told(Json show, Json explain, Json history) {}

    /**
     * The page.
     *
     * @param whole whether all is wanted that was ever said and done
     */
    public static SepPage of(Frame frame, Told told, Paper paper, boolean whole, Viewer viewer) {
        Json show = told.show();
        String state = show.at("status").text();
        Outlook outlook = Outlook.of(told.explain(), state, viewer);
        List<Comment> comments = Comment.of(show, whole ? Integer.MAX_VALUE : MOST_COMMENTS);
        List<Happening> history = Happening.of(told.history(), whole ? Integer.MAX_VALUE : MOST_HISTORY);
        return new SepPage(
                frame,
                SepCard.of(show.with("mustAct", show.at("next").at("mustAct")), viewer),
                Instant.parse(show.at("submitted").text()),
                show.at("discussion").ifText().map(SafeText::line),
                Guide.of(show.at("next"), viewer),
                Rail.of(told.history(), outlook, viewer),
                outlook,
                Given.of(show, viewer),
                Votes.of(show),
                Related.of(show),
                comments,
                show.at("comments").elements().size() - comments.size(),
                history,
                told.history().at("events").elements().size() - history.size(),
                paper,
                told);
    }

    /** How it is called on every page. */
    public static String name(Json show) {
        return "SEP-" + show.at("number").number(0) + ": " + SepCard.title(show);
    }
}
