package dev.gavel.gateway;

import java.util.List;

/** What became of an envelope that was posted, not sent over a connection. */
public sealed interface Posted {
    /**
     * It was taken.
     *
     * @param complaints what was wrong with a part of it: recipients that lead nowhere
     */
    record Taken(List<Verdict.Refuse> complaints) implements Posted {
        public Taken {
            complaints = List.copyOf(complaints);
        }
    }

    /** It went nowhere. */
    record Refused(Verdict.Refuse refusal) implements Posted {}
}
