package dev.gavel.web.console.session;

import dev.gavel.web.console.page.PageFrame;

/**
 * A page that says why there is none.
 *
 * @param linkPath the address of a page to go on from
 * @param linkText what the link there says
 */
public record RefusalPage(PageFrame frame, String heading, String why, String linkPath, String linkText) {}
