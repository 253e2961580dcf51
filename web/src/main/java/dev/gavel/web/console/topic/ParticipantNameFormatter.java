package dev.gavel.web.console.topic;

import dev.gavel.gateway.proposal.MemberNames;
import dev.gavel.gateway.topic.Topic;
import dev.gavel.mcpx.text.SafeText;
import java.util.List;

/**
 * Formats participant names for one reader, who is called "you". Other members are called by their display names. All
 * names are sanitized for display. Immutable.
 *
 * @param reader the id of the reader
 * @param names the display names of the members
 */
public record ParticipantNameFormatter(String reader, MemberNames names) {
    /** Creates a formatter for a reader of a topic. */
    static ParticipantNameFormatter of(Topic topic, String reader) {
        return new ParticipantNameFormatter(reader, topic.memberNames());
    }

    boolean isReader(String id) {
        return id.equals(reader);
    }

    /** Returns a name for use within a sentence. */
    String name(String id) {
        return isReader(id) ? "you" : SafeText.line(names.of(id));
    }

    /** Returns a name for use at the beginning of a sentence. */
    String sentenceStart(String id) {
        return isReader(id) ? "You" : capitalized(SafeText.line(names.of(id)));
    }

    /** A reviewer whose name the reader must not learn begins a sentence like any other noun. */
    private static String capitalized(String name) {
        return name.equals("a reviewer") ? "A reviewer" : name;
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
        List<String> names = ids.stream().map(this::name).distinct().toList();
        return switch (names.size()) {
            case 0 -> "no member";
            case 1 -> names.getFirst();
            default -> String.join(", ", names.subList(0, names.size() - 1)) + last + names.getLast();
        };
    }
}
