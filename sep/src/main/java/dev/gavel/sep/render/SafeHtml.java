package dev.gavel.sep.render;

/** HTML that may be put into a page as it is: only {@link MarkdownRenderer} makes it. */
public record SafeHtml(String html) {}
