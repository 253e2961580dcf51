package dev.gavel.lifecycle.answer;

import dev.gavel.lifecycle.people.Party;
import java.util.List;
import java.util.Optional;

/**
 * A move that might be made: who may, what it needs, and whether anything else stands in its way.
 *
 * @param to the state it leads to
 * @param whoMay who may make it now
 * @param who the same in words
 * @param youMay whether the reader is one of them
 * @param requirements all it needs, ticked or not
 * @param barred why it cannot be made whatever is there
 */
public record Prospect(
        String to,
        List<Party> whoMay,
        String who,
        boolean youMay,
        List<Requirement> requirements,
        Optional<String> barred) {
    public Prospect {
        whoMay = List.copyOf(whoMay);
        requirements = List.copyOf(requirements);
    }

    /** A move that cannot be made at all. */
    public static Prospect barred(String to, String why) {
        return new Prospect(to, List.of(), "nobody", false, List.of(), Optional.of(why));
    }

    /** What is still needed. */
    public List<Requirement> missing() {
        return requirements.stream().filter(requirement -> !requirement.met()).toList();
    }

    /** Whether the reader could make it now. */
    public boolean possible() {
        return youMay && barred.isEmpty() && missing().isEmpty();
    }

    /** The whole of it in a sentence or two. */
    public String sentence() {
        if (barred.isPresent()) {
            return barred.get();
        }
        StringBuilder text = new StringBuilder();
        if (!youMay) {
            text.append("Only ")
                    .append(who)
                    .append(" may move it to ")
                    .append(to)
                    .append(". ");
        }
        if (!missing().isEmpty()) {
            text.append("To ").append(to).append(" it still needs: ");
            text.append(String.join(
                    "; ",
                    missing().stream()
                            .map(need -> need.says() + " (" + need.accepts() + ")")
                            .toList()));
            text.append(".");
        }
        return text.isEmpty()
                ? "You may move it to " + to + " now."
                : text.toString().strip();
    }
}
