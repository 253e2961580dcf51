package dev.gavel.console.inbox;

import dev.gavel.console.Frame;
import dev.gavel.console.topic.Story;

/** The page of one proposal. */
public record ProposalPage(Frame frame, Card card, Story story) {}
