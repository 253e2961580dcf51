package dev.gavel.web.console.sep.action;

import dev.gavel.web.console.page.PageFrame;

/** A page that contains a single SEP action form. */
public record SepActionPage(PageFrame frame, SepActionForm form) {}
