package dev.gavel.web.console.sep;

import dev.gavel.web.console.page.PageFrame;

/**
 * A page that says why there is no other.
 *
 * @param hasSepService whether SEPs are kept here at all
 */
public record SepNoticePage(PageFrame frame, String heading, String why, boolean hasSepService) {}
