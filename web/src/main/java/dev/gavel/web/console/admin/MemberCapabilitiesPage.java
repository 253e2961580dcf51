package dev.gavel.web.console.admin;

import dev.gavel.web.console.page.PageFrame;
import java.util.List;
import java.util.Optional;

/**
 * The page on which an admin edits the capabilities of one member of a topic.
 *
 * @param member whether they are a member already
 * @param runTime whether that was settled while the server ran, so that one can go back
 * @param configured what the configuration says, one on a line; nothing where they are no member by it
 * @param capabilities what stands in the form, one on a line
 * @param errors what is wrong with it
 */
public record MemberCapabilitiesPage(
        PageFrame frame,
        String topic,
        String name,
        boolean member,
        boolean runTime,
        Optional<String> configured,
        String capabilities,
        List<String> errors) {
    public MemberCapabilitiesPage {
        errors = List.copyOf(errors);
    }

    public String path() {
        return AdminPaths.member(topic, name);
    }

    /** How high the form is: all of it can be seen, and there is room for more. */
    public int rows() {
        return Math.clamp(capabilities.lines().count() + 2, 6, 24);
    }
}
