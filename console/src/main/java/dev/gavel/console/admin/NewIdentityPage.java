package dev.gavel.console.admin;

import dev.gavel.console.Frame;
import java.util.List;

/**
 * The page where somebody new is made, with a token.
 *
 * @param known the roles there are
 * @param topics all there are
 */
public record NewIdentityPage(Frame frame, TokenForm form, List<String> known, List<String> topics) {
    public NewIdentityPage {
        known = List.copyOf(known);
        topics = List.copyOf(topics);
    }
}
