package dev.gavel.console;

/**
 * A page that says why there is none.
 *
 * @param back the address of a page to go on from
 * @param to what the link there says
 */
public record Refused(Frame frame, String heading, String why, String back, String to) {}
