package dev.gavel.lifecycle.answer;

import java.util.List;

/**
 * Something a move needs, ticked or not.
 *
 * @param says what it is
 * @param accepts what would be accepted for it; how it was met where it is met
 * @param kinds the kinds of evidence any one of which would do; empty where no evidence can help
 */
public record Requirement(String says, boolean met, String accepts, List<String> kinds) {
    public Requirement {
        kinds = List.copyOf(kinds);
    }
}
