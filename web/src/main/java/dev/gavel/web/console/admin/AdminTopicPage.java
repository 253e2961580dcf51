package dev.gavel.web.console.admin;

import dev.gavel.web.console.page.PageFrame;
import java.util.List;
import java.util.Optional;

/**
 * The page on which an admin sees and changes a topic's members and their capabilities.
 *
 * @param removed who is no member although the configuration names them
 * @param candidates who could become one; none are named where there are too many
 * @param enteredName who was to become one, where that came to nothing
 * @param done what was just done
 * @param complaint why what was just wanted was not
 */
public record AdminTopicPage(
        PageFrame frame,
        String topic,
        List<MemberRow> members,
        List<String> removed,
        List<String> candidates,
        String enteredName,
        Optional<String> done,
        Optional<String> complaint) {
    public AdminTopicPage {
        members = List.copyOf(members);
        removed = List.copyOf(removed);
        candidates = List.copyOf(candidates);
    }

    /**
     * A member.
     *
     * @param connected whether they are connected
     * @param runTime whether what they may send was set while the server ran
     * @param internal whether this server runs them itself
     * @param capabilities one on a line; empty for nothing
     */
    public record MemberRow(String id, boolean connected, boolean runTime, boolean internal, String capabilities) {}
}
