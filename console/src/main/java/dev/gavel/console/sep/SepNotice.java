package dev.gavel.console.sep;

import dev.gavel.console.Frame;

/**
 * A page that says why there is no other.
 *
 * @param desk whether SEPs are kept here at all
 */
public record SepNotice(Frame frame, String heading, String why, boolean desk) {}
