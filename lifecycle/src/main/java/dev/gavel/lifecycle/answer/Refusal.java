package dev.gavel.lifecycle.answer;

import dev.gavel.lifecycle.people.Party;
import java.util.List;

/**
 * Why a command was refused, so that whoever gave it knows what to do instead.
 *
 * @param code a stable word for programs, such as {@code not-allowed}
 * @param message the whole of it in a sentence or two for people
 * @param whoMay who could have done it; empty where that is not the point
 * @param missing what is still needed, with what would be accepted for it
 */
public record Refusal(String code, String message, List<Party> whoMay, List<Requirement> missing) {
    public Refusal {
        if (code.isBlank() || message.isBlank()) {
            throw new IllegalArgumentException("a refusal says why");
        }
        whoMay = List.copyOf(whoMay);
        missing = List.copyOf(missing);
    }

    /** A refusal where neither the person nor anything missing is the point. */
    public static Refusal of(String code, String message) {
        return new Refusal(code, message, List.of(), List.of());
    }
}
