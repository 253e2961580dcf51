package dev.gavel.sep.render;

/**
 * A place in a Markdown text where raw HTML would hide the text after it.
 *
 * @param offset the offset of its {@code <}
 * @param start the beginning of the tag or comment, such as {@code <script}
 * @param closed whether the tag itself ends with {@code >}, and {@code <details>} has an end tag
 */
public record TextHidingTag(int offset, String start, boolean closed) {}
