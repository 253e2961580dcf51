package dev.gavel.web.console.sep;

import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.web.console.page.PageFrame;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The page of one SEP with document, guidance, moves, evidence, votes, comments and history.
 *
 * @param card what lists say of it
 * @param submitted when it was
 * @param moves what can become of it
 * @param earlierComments how many comments there are before those
 * @param earlierHistory how much happened before what is told
 * @param answers what the desk said of it, for those who act on it
 */
public record SepDetailPage(
        PageFrame frame,
        SepCard card,
        Instant submitted,
        Optional<String> discussion,
        SepGuidanceView guidance,
        SepProgressView progress,
        SepMovesView moves,
        List<SepEvidenceRow> evidence,
        Optional<SepVotesView> sepVotesView,
        List<RelatedSepsRow> relatedSepsRow,
        List<SepCommentRow> sepCommentRows,
        int earlierComments,
        List<SepHistoryRow> history,
        int earlierHistory,
        SepDocumentView document,
        SepServiceAnswers answers) {
    private static final int MOST_COMMENTS = 100;
    private static final int MOST_HISTORY = 50;

    public SepDetailPage {
        evidence = List.copyOf(evidence);
        relatedSepsRow = List.copyOf(relatedSepsRow);
        sepCommentRows = List.copyOf(sepCommentRows);
        history = List.copyOf(history);
    }

    /** What the desk answers about a SEP to one reader. */
    public record SepServiceAnswers(Json show, Json explain, Json history) {}

    /**
     * The page.
     *
     * @param whole whether all is wanted that was ever said and done
     */
    public static SepDetailPage of(
            PageFrame frame,
            SepServiceAnswers sepServiceAnswers,
            SepDocumentView sepDocumentView,
            boolean whole,
            SepPageContext sepPageContext) {
        Json show = sepServiceAnswers.show();
        String state = show.at("status").text();
        SepMovesView sepMovesView = SepMovesView.of(sepServiceAnswers.explain(), state, sepPageContext);
        List<SepCommentRow> sepCommentRows = SepCommentRow.of(show, whole ? Integer.MAX_VALUE : MOST_COMMENTS);
        List<SepHistoryRow> history =
                SepHistoryRow.of(sepServiceAnswers.history(), whole ? Integer.MAX_VALUE : MOST_HISTORY);
        return new SepDetailPage(
                frame,
                SepCard.of(show.with("mustAct", show.at("next").at("mustAct")), sepPageContext),
                Instant.parse(show.at("submitted").text()),
                show.at("discussion").asText().map(SafeText::line),
                SepGuidanceView.of(show.at("next"), sepPageContext),
                SepProgressView.of(sepServiceAnswers.history(), sepMovesView, sepPageContext),
                sepMovesView,
                SepEvidenceRow.of(show, sepPageContext),
                SepVotesView.of(show),
                RelatedSepsRow.of(show),
                sepCommentRows,
                show.at("comments").elements().size() - sepCommentRows.size(),
                history,
                sepServiceAnswers.history().at("events").elements().size() - history.size(),
                sepDocumentView,
                sepServiceAnswers);
    }

    /** How it is called on every page. */
    public static String name(Json show) {
        return "SEP-" + show.at("number").asLong(0) + ": " + SepCard.title(show);
    }
}
