package dev.gavel.gateway.proposal;

import java.util.List;
import java.util.Optional;

/** What comes of an envelope, of time passing, or of somebody's coming or going. */
public sealed interface Ruling {
    /**
     * This happened: first it is made durable, all or nothing; then it is told.
     *
     * @param route the envelope to deliver and to echo, if one caused this
     * @param faults one error for each proposal of several that it could not be done to
     */
    record Taken(List<Entry> entries, Optional<Route> route, List<Told> notices, List<Fault> faults) implements Ruling {
        public Taken {
            entries = List.copyOf(entries);
            notices = List.copyOf(notices);
            faults = List.copyOf(faults);
        }
    }

    /** Nothing happened; its sender gets these errors. */
    record Declined(List<Fault> faults) implements Ruling {
        public Declined {
            faults = List.copyOf(faults);
        }
    }

    /**
     * It was sent before: its sender is sent it once more, as it was delivered then, and nothing else happens.
     *
     * @param faults one error for each proposal of several that it was not done to
     */
    record Echoed(Sent sent, List<Fault> faults) implements Ruling {
        public Echoed {
            faults = List.copyOf(faults);
        }
    }

    /** There is nothing to do. */
    record Unchanged() implements Ruling {}
}
