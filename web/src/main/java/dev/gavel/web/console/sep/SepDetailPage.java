package dev.gavel.web.console.sep;

import dev.gavel.lifecycle.process.ProposalTerms;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.web.console.page.PageLayoutData;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The page of one SEP with document, guidance, moves, evidence, votes, comments and history.
 *
 * @param card the summary that lists show
 * @param submitted when the SEP was submitted
 * @param moves the moves that the SEP's state allows
 * @param earlierComments the number of earlier comments that are not shown
 * @param earlierHistory the number of earlier events that are not shown
 * @param documentHash the hash of the document
 * @param diff what changed in the document since the last vote or decision, if it did
 * @param answers the SEP service's answers, from which the page derives the reader's actions
 */
public record SepDetailPage(
        PageLayoutData frame,
        SepCard card,
        Instant submitted,
        Optional<String> discussion,
        SepGuidanceView guidance,
        SepProgressView progress,
        SepMovesView moves,
        List<SepEvidenceRow> evidence,
        Optional<SepVotesView> sepVotesView,
        List<RelatedSepsRow> relatedSepsRows,
        List<SepCommentRow> sepCommentRows,
        int earlierComments,
        List<SepHistoryRow> history,
        int earlierHistory,
        SepDocumentView document,
        String documentHash,
        Optional<SepDocumentDiffView> diff,
        SepServiceAnswers answers) {
    private static final int MAX_COMMENTS = 100;
    private static final int MAX_HISTORY = 50;

    public SepDetailPage {
        evidence = List.copyOf(evidence);
        relatedSepsRows = List.copyOf(relatedSepsRows);
        sepCommentRows = List.copyOf(sepCommentRows);
        history = List.copyOf(history);
    }

    /** The SEP service's answers about a SEP to one reader. */
    public record SepServiceAnswers(Json show, Json explain, Json history) {}

    /**
     * Creates the page.
     *
     * @param whole whether to show all comments and all events
     */
    public static SepDetailPage of(
            PageLayoutData frame,
            SepServiceAnswers sepServiceAnswers,
            SepDocumentView sepDocumentView,
            Optional<SepDocumentDiffView> diff,
            boolean whole,
            SepPageContext pageContext) {
        Json show = sepServiceAnswers.show();
        SepPageContext sepPageContext = pageContext.withNamesOf(show);
        String state = show.at("status").text();
        SepMovesView sepMovesView = SepMovesView.of(sepServiceAnswers.explain(), state, sepPageContext);
        List<SepCommentRow> sepCommentRows =
                SepCommentRow.of(show, whole ? Integer.MAX_VALUE : MAX_COMMENTS, sepPageContext);
        List<SepHistoryRow> history =
                SepHistoryRow.of(sepServiceAnswers.history(), whole ? Integer.MAX_VALUE : MAX_HISTORY);
        return new SepDetailPage(
                frame,
                SepCard.of(show.with("mustAct", show.at("next").at("mustAct")), sepPageContext),
                Instant.parse(show.at("submitted").text()),
                show.at("discussion").asText().map(SafeText::line),
                SepGuidanceView.of(show.at("next"), sepPageContext),
                SepProgressView.of(sepServiceAnswers.history(), sepMovesView, sepPageContext),
                sepMovesView,
                SepEvidenceRow.of(show, sepPageContext),
                SepVotesView.of(show, sepPageContext),
                RelatedSepsRow.of(show),
                sepCommentRows,
                show.at("comments").elements().size() - sepCommentRows.size(),
                history,
                sepServiceAnswers.history().at("events").elements().size() - history.size(),
                sepDocumentView,
                SafeText.line(show.at("hash").text()),
                diff,
                sepServiceAnswers);
    }

    /** Returns the name of a SEP as titles show it. */
    public static String name(Json show, ProposalTerms terms) {
        return terms.numberLabel(show.at("number").asLong(0)) + ": " + SepCard.title(show);
    }
}
