package dev.gavel.web.console.sep;

import dev.gavel.web.console.page.PageLayoutData;

/**
 * The page that tells the reader why a SEP page cannot be shown.
 *
 * @param hasSepService whether this server stores SEPs
 */
public record SepErrorPage(PageLayoutData frame, String heading, String reason, boolean hasSepService) {}
