package dev.gavel.console;

/** A page that says why there is none. */
public record Refused(Frame frame, String heading, String why) {}
