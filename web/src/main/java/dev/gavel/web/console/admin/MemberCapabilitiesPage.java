package dev.gavel.web.console.admin;

import dev.gavel.web.console.page.PageLayoutData;
import java.util.List;
import java.util.Optional;

/**
 * The page on which an admin edits the capabilities of one member of a topic.
 *
 * @param displayName the name by which texts call the identity
 * @param member whether the identity is already a member
 * @param setAtRunTime whether an admin set the membership while the server ran, so that it can be reset to the configuration
 * @param configured the configured capabilities, one per line; empty if the configuration does not make the identity a
 *     member
 * @param capabilities the content of the form, one capability per line
 * @param errors what is wrong with the content of the form
 */
public record MemberCapabilitiesPage(
        PageLayoutData frame,
        String topic,
        String name,
        String displayName,
        boolean member,
        boolean setAtRunTime,
        Optional<String> configured,
        String capabilities,
        List<String> errors) {
    public MemberCapabilitiesPage {
        errors = List.copyOf(errors);
    }

    public String path() {
        return AdminPaths.member(topic, name);
    }

    /** The height of the form in lines: between 6 and 24, with room for more than the present capabilities. */
    public int rows() {
        return Math.clamp(capabilities.lines().count() + 2, 6, 24);
    }
}
