package dev.gavel.lifecycle;

import dev.gavel.lifecycle.people.Party;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** Something a clock says it is time for. It happens when {@link Command.Carry} is decided. */
public sealed interface Due {
    /** The clock's name. */
    String clock();

    /** Which of its steps: the one so long after its start. */
    Duration after();

    /** What to tell those it concerns: the exact next step. */
    String text();

    /** People to be reminded. */
    record Ping(String clock, Duration after, List<Party> whom, String text) implements Due {
        public Ping {
            whom = List.copyOf(whom);
        }
    }

    /** A move the process makes by itself. */
    record Go(String clock, Duration after, String to, String text) implements Due {}

    /** A role that must act too from now on. */
    record Escalation(String clock, Duration after, String role, String text) implements Due {}

    /** Whether another is the same thing to do; its text may have changed with the day. */
    default boolean sameAs(Due other) {
        if (!clock().equals(other.clock()) || !after().equals(other.after())) {
            return false;
        }
        return switch (this) {
            case Ping ping ->
                other instanceof Ping theirs && Set.copyOf(ping.whom()).equals(Set.copyOf(theirs.whom()));
            case Go go -> other instanceof Go theirs && go.to().equals(theirs.to());
            case Escalation escalation ->
                other instanceof Escalation theirs && escalation.role().equals(theirs.role());
        };
    }
}
