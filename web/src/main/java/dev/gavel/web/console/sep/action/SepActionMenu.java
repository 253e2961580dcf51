package dev.gavel.web.console.sep.action;

import dev.gavel.lifecycle.process.ProposalTerms;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.sep.service.SepOperation;
import dev.gavel.sep.text.ProposalTermsReader;
import dev.gavel.web.console.sep.SepActionPaths;
import dev.gavel.web.console.sep.action.SepActionLink.Rank;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The actions that the SEP service allows the reader of a SEP's page, ordered by importance. Immutable.
 *
 * @param links the next step first, actions that end the SEP last
 * @param comment whether the reader may comment
 */
public record SepActionMenu(long number, List<SepActionLink> links, boolean comment) {
    private static final int MAX_NOTE_LENGTH = 160;
    private static final Pattern DATE = Pattern.compile("\\d{4}-\\d{2}-\\d{2}");
    private static final Pattern SPAN = Pattern.compile("^\\d+ (?:day|hour|minute|second)s? (?:without|with no) ");

    public SepActionMenu {
        links = List.copyOf(links);
    }

    /**
     * Builds the menu from the SEP service's answers.
     *
     * @param show the answer to {@code show}
     * @param explain the answer to {@code explain}
     */
    public static SepActionMenu of(Json show, Json explain) {
        long number = show.at("number").asLong(0);
        String hash = show.at("hash").text();
        ProposalTerms terms = ProposalTermsReader.read(show);
        List<String> otherOperations = explain.at("youMayAlso").texts();
        List<Json> moves = explain.at("moves").elements().stream()
                .filter(move -> move.at("youMay").isTrue())
                .toList();
        String nextStep = show.at("next").at("nextStep").text();
        boolean mayVote = otherOperations.contains(SepOperation.VOTE.wireName());
        boolean editsFirst = otherOperations.contains(SepOperation.EDIT.wireName())
                && needsSections(explain)
                && nextStep.contains("section");
        Optional<Json> first = editsFirst ? Optional.empty() : nextMove(moves, nextStep, mayVote);
        List<SepActionLink> sepActionLinks = new ArrayList<>();
        for (Json move : moves) {
            Rank rank = first.filter(move::equals).isPresent() ? Rank.FIRST : rank(move);
            sepActionLinks.add(link(number, move, rank, hash, terms));
        }
        for (String word : otherOperations) {
            SepActionPaths.parse(word)
                    .or(() -> Optional.of(SepOperation.EDIT)
                            .filter(edit -> edit.wireName().equals(word)))
                    .filter(sepOperation -> sepOperation != SepOperation.COMMENT && !isMove(moves, sepOperation))
                    .ifPresent(sepOperation -> sepActionLinks.add(link(
                            number,
                            sepOperation,
                            hash,
                            editsFirst && sepOperation == SepOperation.EDIT
                                    ? Rank.FIRST
                                    : rank(sepOperation, first.isEmpty() && !editsFirst, nextStep, explain),
                            terms)));
        }
        sepActionLinks.sort(Comparator.comparing(SepActionLink::rank));
        return new SepActionMenu(number, sepActionLinks, mayComment(explain));
    }

    /** Whether the reader may comment, according to the SEP service. */
    public static boolean mayComment(Json explain) {
        return explain.at("youMayAlso").texts().contains(SepOperation.COMMENT.wireName());
    }

    /** Whether one of the state's moves is made by this operation. */
    private static boolean isMove(List<Json> moves, SepOperation sepOperation) {
        return moves.stream().anyMatch(move -> move.at("verb").text().equals(sepOperation.wireName()));
    }

    /**
     * Returns the next step: the move that the guidance names; otherwise the first move that leads on, unless the
     * reader can vote before it.
     */
    private static Optional<Json> nextMove(List<Json> moves, String nextStep, boolean mayVote) {
        return moves.stream()
                .filter(move -> Pattern.compile(
                                "\\bto `?" + Pattern.quote(move.at("to").text()) + "(?![\\w-])")
                        .matcher(nextStep)
                        .find())
                .findFirst()
                .or(() -> moves.stream()
                        .filter(move -> !mayVote && move.at("onward").isTrue() && !waitsForTime(move))
                        .findFirst());
    }

    private static Rank rank(Json move) {
        if (move.at("end").isTrue()) {
            return Rank.END;
        }
        return move.at("onward").isTrue() && !waitsForTime(move) ? Rank.USUAL : Rank.MORE;
    }

    /** Whether the move waits for something that only time can bring. */
    private static boolean waitsForTime(Json move) {
        return unmetRequirements(move)
                .anyMatch(each -> each.at("kinds").texts().isEmpty()
                        && (DATE.matcher(each.at("accepts").text()).matches()
                                || SPAN.matcher(each.at("says").text()).find()));
    }

    /**
     * Whether a move waits for sections of the document. No attached evidence satisfies this, only editing the
     * document.
     */
    private static boolean needsSections(Json explain) {
        return explain.at("moves").elements().stream()
                .flatMap(SepActionMenu::unmetRequirements)
                .anyMatch(each -> each.at("kinds").texts().isEmpty()
                        && each.at("says").text().contains("section"));
    }

    private static Stream<Json> unmetRequirements(Json move) {
        return move.at("requirements").elements().stream()
                .filter(each -> !each.at("met").isTrue());
    }

    private static SepActionLink link(long number, Json move, Rank rank, String hash, ProposalTerms terms) {
        String to = move.at("to").text();
        SepOperation sepOperation = SepActionPaths.parse(move.at("verb").text()).orElse(SepOperation.MOVE);
        return new SepActionLink(
                SepActionPaths.label(sepOperation, to, terms),
                SepActionPaths.withDocument(
                        sepOperation == SepOperation.MOVE
                                ? SepActionPaths.movePath(number, to)
                                : SepActionPaths.actionPath(number, sepOperation),
                        sepOperation,
                        hash),
                note(move),
                rank,
                true);
    }

    /** Returns why the move is barred, or which requirements are not met yet. */
    private static String note(Json move) {
        Optional<String> barred = move.at("barred").asText();
        if (barred.isPresent()) {
            return SafeText.brief(barred.get(), MAX_NOTE_LENGTH);
        }
        List<String> missing =
                unmetRequirements(move).map(each -> each.at("says").text()).toList();
        return missing.isEmpty() ? "" : SafeText.brief("Missing: " + String.join("; ", missing), MAX_NOTE_LENGTH);
    }

    private static SepActionLink link(
            long number, SepOperation sepOperation, String hash, Rank rank, ProposalTerms terms) {
        return new SepActionLink(
                SepActionPaths.label(sepOperation, "", terms),
                SepActionPaths.withDocument(SepActionPaths.actionPath(number, sepOperation), sepOperation, hash),
                "",
                rank,
                sepOperation != SepOperation.EDIT);
    }

    private static Rank rank(SepOperation sepOperation, boolean nothingFirst, String nextStep, Json explain) {
        return switch (sepOperation) {
            case VOTE, CONFIRM, SPONSOR -> nothingFirst ? Rank.FIRST : Rank.USUAL;
            case EDIT, RELEASE -> Rank.USUAL;
            case ATTACH ->
                attachRank(
                        nothingFirst && explain.at("youMayConfirm").elements().isEmpty(), nextStep, explain);
            default -> Rank.MORE;
        };
    }

    /**
     * Ranks attaching evidence: first if the guidance names its kind, common if a move waits for it, rare otherwise.
     */
    private static Rank attachRank(boolean nothingFirst, String nextStep, Json explain) {
        List<String> kinds = explain.at("youMayAttach").elements().stream()
                .map(kind -> kind.at("kind").text())
                .toList();
        if (nothingFirst && kinds.stream().anyMatch(kind -> names(nextStep, kind))) {
            return Rank.FIRST;
        }
        boolean wanted = explain.at("moves").elements().stream()
                .flatMap(SepActionMenu::unmetRequirements)
                .flatMap(each -> each.at("kinds").texts().stream())
                .anyMatch(kinds::contains);
        return wanted ? Rank.USUAL : Rank.MORE;
    }

    /** Whether a text names a kind of evidence, in quotes or in backticks. */
    private static boolean names(String text, String kind) {
        return text.contains("'" + kind + "'") || text.contains("`" + kind + "`");
    }

    /** The links that are shown at once. */
    public List<SepActionLink> primaryLinks() {
        return links.stream()
                .filter(sepActionLink -> sepActionLink.rank() == Rank.FIRST || sepActionLink.rank() == Rank.USUAL)
                .toList();
    }

    /** The links that are shown only when the reader opens the rest of the menu. */
    public List<SepActionLink> moreLinks() {
        return links.stream()
                .filter(sepActionLink -> sepActionLink.rank() == Rank.MORE || sepActionLink.rank() == Rank.END)
                .toList();
    }
}
