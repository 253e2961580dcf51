package dev.gavel.web.console.inbox;

import dev.gavel.web.console.page.PageFrame;
import dev.gavel.web.console.topic.ProposalHistoryView;

/** The page of one proposal with its card and its history. */
public record ProposalDetailPage(PageFrame frame, ProposalCard card, ProposalHistoryView history) {}
