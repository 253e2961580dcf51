package dev.gavel.web.console.session;

import dev.gavel.web.console.page.PageLayoutData;

/**
 * The page that tells a user why a request was refused.
 *
 * @param linkPath the path of a page on which the user can continue
 * @param linkText the text of the link to that page
 */
public record RefusalPage(PageLayoutData frame, String heading, String reason, String linkPath, String linkText) {}
