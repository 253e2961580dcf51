package dev.gavel.gateway.routing;

import dev.gavel.gateway.proposal.RejectionEffect;
import dev.gavel.mcpx.SystemMessage.Failure;
import java.util.List;

/**
 * The result of submitting an envelope without a connection to the topic, for example over HTTP: accepted or refused.
 */
public sealed interface SubmitResult {
    /**
     * The envelope was accepted; if it concerns proposals, it is durable.
     *
     * @param id the envelope's id; if it is a proposal that joined an equal one, the id of that one
     * @param warnings problems with a part of it: recipients that match no member, proposals that it was too late for
     * @param rejectionEffects for a rejection, what it did to each proposal
     */
    record Accepted(String id, List<Failure> warnings, List<RejectionEffect> rejectionEffects) implements SubmitResult {
        public Accepted {
            rejectionEffects = List.copyOf(rejectionEffects);
            warnings = List.copyOf(warnings);
        }
    }

    /**
     * The envelope was refused.
     *
     * @param failures the reasons; one for each proposal if it concerns several
     */
    record Refused(List<Failure> failures) implements SubmitResult {
        public Refused {
            failures = List.copyOf(failures);
        }
    }
}
