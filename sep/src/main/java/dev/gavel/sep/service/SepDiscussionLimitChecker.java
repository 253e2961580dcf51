package dev.gavel.sep.service;

import dev.gavel.ledger.LedgerEvent;
import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.process.ProposalTerms;
import dev.gavel.lifecycle.result.LifecycleRefusal;
import dev.gavel.sep.Sep;
import java.util.List;
import java.util.Optional;

/**
 * Checks whether a SEP has room for another comment, question or attachment of a person. Each person without a role has a
 * share. A part of the room is reserved for the people who work on the SEP, and a part of that for the people who decide
 * on it, so that no one can end the discussion for them. Votes and moves count, but are never refused. Stateless.
 */
final class SepDiscussionLimitChecker {
    /** The size of all events of one SEP, in bytes, up to which each group may add to the discussion. */
    private static final long MAX_BYTES = 1 << 20;

    private static final long MAX_BYTES_FOR_HOLDERS = MAX_BYTES / 4 * 3;
    private static final long MAX_BYTES_FOR_OTHERS = MAX_BYTES / 2;

    /** The size of the events of one person without a role. */
    private static final long SHARE = 64 << 10;

    private SepDiscussionLimitChecker() {}

    /**
     * Returns why there is no room; empty if there is.
     *
     * @param hasProcessRole whether the actor has a role of the process, or is an admin
     * @param bytes the size of what the actor adds
     */
    static Optional<LifecycleRefusal> check(
            Sep sep, List<LedgerEvent> events, Actor actor, boolean hasProcessRole, long bytes, ProposalTerms terms) {
        long all = bytes + totalBytes(events);
        if (hasProcessRole) {
            return all > MAX_BYTES ? Optional.of(full(sep, terms, "")) : Optional.empty();
        }
        if (sep.snapshot().holders().byRole().keySet().stream()
                .anyMatch(role -> sep.snapshot().holders().holds(actor.person(), role))) {
            return all > MAX_BYTES_FOR_HOLDERS
                    ? Optional.of(full(sep, terms, " The rest is reserved for the people who decide on it."))
                    : Optional.empty();
        }
        if (all > MAX_BYTES_FOR_OTHERS) {
            return Optional.of(
                    full(sep, terms, " The rest is reserved for its authors and for the people who decide on it."));
        }
        long own = totalBytes(events.stream()
                .filter(event -> event.actor().equals(actor.person().login()))
                .toList());
        return own + bytes > SHARE
                ? Optional.of(LifecycleRefusal.of(
                        "full",
                        "You have used your share of the discussion of " + terms.name() + " " + sep.number() + " ("
                                + SHARE / 1024
                                + " KiB). Continue elsewhere, and ask an author to put the link into the document."))
                : Optional.empty();
    }

    private static LifecycleRefusal full(Sep sep, ProposalTerms terms, String reserved) {
        return LifecycleRefusal.of(
                "full",
                terms.name() + " " + sep.number() + " has reached the size limit for comments and evidence." + reserved
                        + " Continue the discussion elsewhere and put the link into the document.");
    }

    private static long totalBytes(List<LedgerEvent> events) {
        return events.stream().mapToLong(event -> event.body().length()).sum();
    }
}
