package dev.gavel.web.console.sep;

import dev.gavel.web.console.page.PageFrame;

/**
 * The page that tells the reader why a SEP page cannot be shown.
 *
 * @param hasSepService whether this server stores SEPs
 */
public record SepNoticePage(PageFrame frame, String heading, String why, boolean hasSepService) {}
