package dev.gavel.console;

/** The page of one proposal. */
public record ProposalPage(Frame frame, Card card, String mark) {}
