package dev.gavel.console;

import java.util.Optional;

/**
 * The page where somebody signs in.
 *
 * @param code the one-time code of the link they came by
 * @param atOnce whether the page may go on by itself with that: not where somebody is signed in already
 * @param complaint why signing in came to nothing
 */
public record SignIn(Frame frame, Optional<String> code, boolean atOnce, Optional<String> complaint) {}
