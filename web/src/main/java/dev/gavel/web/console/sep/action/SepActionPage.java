package dev.gavel.web.console.sep.action;

import dev.gavel.web.console.page.PageFrame;

/** A page with one form on it. */
public record SepActionPage(PageFrame frame, SepActionForm form) {}
