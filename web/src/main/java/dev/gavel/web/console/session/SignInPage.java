package dev.gavel.web.console.session;

import dev.gavel.web.console.page.PageFrame;
import java.util.Optional;

/**
 * The page on which a user signs in.
 *
 * @param code the one-time code of the link they came by
 * @param autoSubmit whether the page may go on by itself with that: not where somebody is signed in already
 * @param complaint why signing in came to nothing
 */
public record SignInPage(PageFrame frame, Optional<String> code, boolean autoSubmit, Optional<String> complaint) {}
