package dev.gavel.sep.document;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * The title of a document, with its number or the placeholder for one.
 *
 * @param number empty if there is no number or only a placeholder
 * @param placeholder the placeholder in the position of the number, if there is one
 * @param text the title without the number
 * @param range the position of the title
 */
public record DocumentTitle(OptionalInt number, Optional<String> placeholder, String text, TextRange range) {}
