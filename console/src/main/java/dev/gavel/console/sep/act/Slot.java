package dev.gavel.console.sep.act;

import dev.gavel.console.sep.act.Offer.Rank;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.sep.desk.Verb;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What a reader of a SEP's page can do: no more than the desk says they may. Immutable.
 *
 * @param offers the next step first, the ends last
 * @param comment whether they may say something
 */
public record Slot(long number, List<Offer> offers, boolean comment) {
    private static final int LONGEST_NOTE = 160;
    private static final Pattern DATE = Pattern.compile("\\d{4}-\\d{2}-\\d{2}");
    private static final Pattern SPAN = Pattern.compile("^(nobody has been|nothing from) .* for \\d+ ");

    public Slot {
        offers = List.copyOf(offers);
    }

    /**
     * What can be done, as the desk says.
     *
     * @param show what it answered to 'show'
     * @param explain what it answered to 'explain'
     */
    public static Slot of(Json show, Json explain) {
        long number = show.at("number").number(0);
        List<String> also = explain.at("youMayAlso").texts();
        List<Json> moves = explain.at("moves").elements().stream()
                .filter(move -> move.at("youMay").isTrue())
                .toList();
        String step = show.at("next").at("nextStep").text();
        boolean votes = also.contains(Verb.VOTE.word());
        boolean writes = also.contains(Verb.EDIT.word()) && incomplete(explain) && step.contains("section");
        Optional<Json> first = writes ? Optional.empty() : first(moves, step, votes);
        List<Offer> offers = new ArrayList<>();
        for (Json move : moves) {
            Rank rank = first.filter(move::equals).isPresent() ? Rank.FIRST : rank(move);
            offers.add(offer(number, move, rank));
        }
        for (String word : also) {
            Acts.verb(word)
                    .or(() -> Optional.of(Verb.EDIT).filter(edit -> edit.word().equals(word)))
                    .filter(verb -> verb != Verb.COMMENT && !made(moves, verb))
                    .ifPresent(verb -> offers.add(offer(
                            number,
                            verb,
                            writes && verb == Verb.EDIT
                                    ? Rank.FIRST
                                    : rank(verb, first.isEmpty() && !writes, step, explain))));
        }
        offers.sort(Comparator.comparing(Offer::rank));
        return new Slot(number, offers, mayComment(explain));
    }

    /** Whether its reader may say something, as the desk says. */
    public static boolean mayComment(Json explain) {
        return explain.at("youMayAlso").texts().contains(Verb.COMMENT.word());
    }

    /** Some verbs are moves, where the state has one. */
    private static boolean made(List<Json> moves, Verb verb) {
        return moves.stream().anyMatch(move -> move.at("verb").text().equals(verb.word()));
    }

    /** The next step: the move the guidance names; else, unless a vote comes before it, the first that leads on. */
    private static Optional<Json> first(List<Json> moves, String step, boolean votes) {
        return moves.stream()
                .filter(move -> Pattern.compile(
                                "\\bto " + Pattern.quote(move.at("to").text()) + "(?![\\w-])")
                        .matcher(step)
                        .find())
                .findFirst()
                .or(() -> moves.stream()
                        .filter(move -> !votes && move.at("onward").isTrue() && !tooEarly(move))
                        .findFirst());
    }

    private static Rank rank(Json move) {
        if (move.at("end").isTrue()) {
            return Rank.END;
        }
        return move.at("onward").isTrue() && !tooEarly(move) ? Rank.USUAL : Rank.MORE;
    }

    /** Whether only time can bring what it waits for. */
    private static boolean tooEarly(Json move) {
        return unmet(move)
                .anyMatch(each -> each.at("kinds").texts().isEmpty()
                        && (DATE.matcher(each.at("accepts").text()).matches()
                                || SPAN.matcher(each.at("says").text()).find()));
    }

    /** Whether a move waits for sections of the document: nothing that is attached helps, only writing them. */
    private static boolean incomplete(Json explain) {
        return explain.at("moves").elements().stream()
                .flatMap(Slot::unmet)
                .anyMatch(each -> each.at("kinds").texts().isEmpty()
                        && each.at("says").text().contains("section"));
    }

    private static Stream<Json> unmet(Json move) {
        return move.at("requirements").elements().stream()
                .filter(each -> !each.at("met").isTrue());
    }

    private static Offer offer(long number, Json move, Rank rank) {
        String to = move.at("to").text();
        Verb verb = Acts.verb(move.at("verb").text()).orElse(Verb.MOVE);
        return new Offer(
                Acts.name(verb, to),
                verb == Verb.MOVE ? Acts.move(number, to) : Acts.path(number, verb),
                note(move),
                rank,
                true);
    }

    /** What is missing that one does not simply say with the move. */
    private static String note(Json move) {
        Optional<String> barred = move.at("barred").ifText();
        if (barred.isPresent()) {
            return SafeText.brief(barred.get(), LONGEST_NOTE);
        }
        List<String> missing = unmet(move).map(each -> each.at("says").text()).toList();
        return missing.isEmpty() ? "" : SafeText.brief("Still needed: " + String.join("; ", missing), LONGEST_NOTE);
    }

    private static Offer offer(long number, Verb verb, Rank rank) {
        return new Offer(Acts.name(verb, ""), Acts.path(number, verb), "", rank, verb != Verb.EDIT);
    }

    private static Rank rank(Verb verb, boolean nothingFirst, String step, Json explain) {
        return switch (verb) {
            case VOTE, SPONSOR -> nothingFirst ? Rank.FIRST : Rank.USUAL;
            case EDIT, RELEASE -> Rank.USUAL;
            case ATTACH -> evidence(nothingFirst, step, explain);
            default -> Rank.MORE;
        };
    }

    /** Evidence is for when it is asked for: by the guidance, which names its kind, or by a move that waits for it. */
    private static Rank evidence(boolean nothingFirst, String step, Json explain) {
        List<String> kinds = explain.at("youMayAttach").elements().stream()
                .map(kind -> kind.at("kind").text())
                .toList();
        if (nothingFirst && kinds.stream().anyMatch(kind -> step.contains("'" + kind + "'"))) {
            return Rank.FIRST;
        }
        boolean wanted = explain.at("moves").elements().stream()
                .flatMap(Slot::unmet)
                .flatMap(each -> each.at("kinds").texts().stream())
                .anyMatch(kinds::contains);
        return wanted ? Rank.USUAL : Rank.MORE;
    }

    /** Those that are offered at once. */
    public List<Offer> usual() {
        return offers.stream()
                .filter(offer -> offer.rank() == Rank.FIRST || offer.rank() == Rank.USUAL)
                .toList();
    }

    /** Those that are there for whoever looks for them. */
    public List<Offer> more() {
        return offers.stream()
                .filter(offer -> offer.rank() == Rank.MORE || offer.rank() == Rank.END)
                .toList();
    }
}
