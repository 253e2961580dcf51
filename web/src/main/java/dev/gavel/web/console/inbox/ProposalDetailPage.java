package dev.gavel.web.console.inbox;

import dev.gavel.web.console.page.PageLayoutData;
import dev.gavel.web.console.topic.ProposalHistoryView;

/** The page of one proposal with its card and its history. */
public record ProposalDetailPage(PageLayoutData frame, ProposalCard card, ProposalHistoryView history) {}
