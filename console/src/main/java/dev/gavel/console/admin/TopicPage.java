package dev.gavel.console.admin;

import dev.gavel.console.Frame;
import java.util.List;
import java.util.Optional;

/**
 * The page of what the members of a topic may send.
 *
 * @param removed who is no member although the configuration names them
 * @param others who could become one; none are named where there are too many
 * @param wanted who was to become one, where that came to nothing
 * @param done what was just done
 * @param complaint why what was just wanted was not
 */
public record TopicPage(
        Frame frame,
        String topic,
        List<MemberLine> members,
        List<String> removed,
        List<String> others,
        String wanted,
        Optional<String> done,
        Optional<String> complaint) {
    public TopicPage {
        members = List.copyOf(members);
        removed = List.copyOf(removed);
        others = List.copyOf(others);
    }

    /**
     * A member.
     *
     * @param here whether they are connected
     * @param runTime whether what they may send was set while the server ran
     * @param own whether this server runs them itself
     * @param capabilities one on a line; empty for nothing
     */
    public record MemberLine(String id, boolean here, boolean runTime, boolean own, String capabilities) {}
}
