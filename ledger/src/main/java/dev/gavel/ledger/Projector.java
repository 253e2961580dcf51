package dev.gavel.ledger;

import java.util.List;

/** Says how a subject stands after all its events. Pure: the same events give the same summary. */
@FunctionalInterface
public interface Projector {
    /** How it stands, given its events in order, of which there is at least one. */
    Summary summarise(List<Event> history);
}
