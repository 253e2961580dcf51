package dev.gavel.console.sep.act;

import dev.gavel.console.Frame;

/** A page with one form on it. */
public record ActPage(Frame frame, ActForm form) {}
