package dev.gavel.web.console.admin;

import dev.gavel.web.console.page.PageLayoutData;
import java.util.List;
import java.util.Optional;

/**
 * The page on which an admin sees and changes a topic's members and their capabilities.
 *
 * @param removed identities that the configuration makes members but an admin has removed
 * @param candidates identities that could become members; empty if there are too many to list
 * @param enteredName the name that the admin entered, if adding that member failed
 * @param confirmation the confirmation of the last change
 * @param complaint why the last change was refused
 */
public record AdminTopicPage(
        PageLayoutData frame,
        String topic,
        List<MemberRow> members,
        List<IdentityLabel> removed,
        List<String> candidates,
        String enteredName,
        Optional<String> confirmation,
        Optional<String> complaint) {
    public AdminTopicPage {
        members = List.copyOf(members);
        removed = List.copyOf(removed);
        candidates = List.copyOf(candidates);
    }

    /**
     * A member of the topic.
     *
     * @param connected whether the member is connected
     * @param setAtRunTime whether an admin set the capabilities while the server ran
     * @param internal whether this server itself runs the participant
     * @param capabilities one per line; empty if the member may send nothing
     */
    public record MemberRow(
            IdentityLabel label, boolean connected, boolean setAtRunTime, boolean internal, String capabilities) {
        public String id() {
            return label.id();
        }
    }
}
