package dev.gavel.web.console.topic;

import dev.gavel.mcpx.text.SafeText;
import java.util.List;

/**
 * Formats participant names for one reader, who is called "you". Fit to be shown. Immutable.
 *
 * @param reader who looks
 */
record ParticipantNameFormatter(String reader) {
    /** Whether somebody is the reader. */
    boolean isReader(String id) {
        return id.equals(reader);
    }

    /** Within a sentence. */
    String name(String id) {
        return isReader(id) ? "you" : SafeText.line(id);
    }

    /** At the beginning of one. */
    String sentenceStart(String id) {
        return isReader(id) ? "You" : SafeText.line(id);
    }

    /** "alice", "alice or you", "alice, bob or you". */
    String joinWithOr(List<String> ids) {
        return join(ids, " or ");
    }

    /** "alice", "alice and you", "alice, bob and you". */
    String joinWithAnd(List<String> ids) {
        return join(ids, " and ");
    }

    private String join(List<String> ids, String last) {
        List<String> names = ids.stream().map(this::name).toList();
        return switch (names.size()) {
            case 0 -> "nobody";
            case 1 -> names.getFirst();
            default -> String.join(", ", names.subList(0, names.size() - 1)) + last + names.getLast();
        };
    }
}
