package dev.gavel.console.inbox;

import dev.gavel.console.Frame;

/** The page of one proposal. */
public record ProposalPage(Frame frame, Card card) {}
