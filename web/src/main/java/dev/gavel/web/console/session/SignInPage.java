package dev.gavel.web.console.session;

import dev.gavel.web.console.page.PageLayoutData;
import java.util.Optional;

/**
 * The page on which a user signs in.
 *
 * @param code the one-time code of the sign-in link
 * @param autoSubmit whether the page may submit the code by itself: not if a user is already signed in
 * @param complaint why signing in failed
 */
public record SignInPage(PageLayoutData frame, Optional<String> code, boolean autoSubmit, Optional<String> complaint) {}
