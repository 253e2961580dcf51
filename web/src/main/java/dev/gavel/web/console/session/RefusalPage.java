package dev.gavel.web.console.session;

import dev.gavel.web.console.page.PageFrame;

/**
 * The page that tells a user why a request was refused.
 *
 * @param linkPath the address of a page to go on from
 * @param linkText what the link there says
 */
public record RefusalPage(PageFrame frame, String heading, String why, String linkPath, String linkText) {}
