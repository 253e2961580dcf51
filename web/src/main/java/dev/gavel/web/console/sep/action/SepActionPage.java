package dev.gavel.web.console.sep.action;

import dev.gavel.web.console.page.PageLayoutData;

/** A page that contains a single SEP action form. */
public record SepActionPage(PageLayoutData frame, SepActionForm form) {}
