package dev.gavel.gateway.routing;

import dev.gavel.mcpx.SystemMessage.Failure;
import java.util.List;

/** The result of an envelope submitted without a connection: accepted or refused. */
public sealed interface SubmitResult {
    /**
     * It was taken, and is durable where it is about proposals.
     *
     * @param id the envelope's
     * @param warnings what was wrong with a part of it: recipients that lead nowhere, proposals it came too late for
     */
    record Accepted(String id, List<Failure> warnings) implements SubmitResult {
        public Accepted {
            warnings = List.copyOf(warnings);
        }
    }

    /**
     * It went nowhere.
     *
     * @param failures why; one for each proposal where it was about several
     */
    record Refused(List<Failure> failures) implements SubmitResult {
        public Refused {
            failures = List.copyOf(failures);
        }
    }
}
