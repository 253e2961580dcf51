package dev.gavel.web.console.topic;

import dev.gavel.mcpx.text.SafeText;
import java.util.List;

/**
 * Formats participant names for one reader, who is called "you". All names are sanitized for display. Immutable.
 *
 * @param reader the id of the reader
 */
record ParticipantNameFormatter(String reader) {
    boolean isReader(String id) {
        return id.equals(reader);
    }

    /** Returns a name for use within a sentence. */
    String name(String id) {
        return isReader(id) ? "you" : SafeText.line(id);
    }

    /** Returns a name for use at the beginning of a sentence. */
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
            case 0 -> "no member";
            case 1 -> names.getFirst();
            default -> String.join(", ", names.subList(0, names.size() - 1)) + last + names.getLast();
        };
    }
}
