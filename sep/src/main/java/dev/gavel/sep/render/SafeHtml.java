package dev.gavel.sep.render;

/** Sanitized HTML that may be put into a page as it is. */
public record SafeHtml(String html) {}
