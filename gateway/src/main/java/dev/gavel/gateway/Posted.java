package dev.gavel.gateway;

import dev.gavel.mcpx.SystemMessage.Failure;
import java.util.List;

/** What became of an envelope that was posted, not sent over a connection. */
public sealed interface Posted {
    /**
     * It was taken, and is durable where it is about proposals.
     *
     * @param id the envelope's
     * @param complaints what was wrong with a part of it: recipients that lead nowhere, proposals it came too late for
     */
    record Taken(String id, List<Failure> complaints) implements Posted {
        public Taken {
            complaints = List.copyOf(complaints);
        }
    }

    /**
     * It went nowhere.
     *
     * @param failures why; one for each proposal where it was about several
     */
    record Refused(List<Failure> failures) implements Posted {
        public Refused {
            failures = List.copyOf(failures);
        }
    }
}
