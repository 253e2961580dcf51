package dev.gavel.gateway.docket;

import dev.gavel.gateway.proposal.Fault;
import dev.gavel.gateway.proposal.Sent;
import java.time.Duration;
import java.util.List;

/** What became of something that was put to the docket. */
public sealed interface Decision {
    /**
     * It is durable.
     *
     * @param messages what is to be sent of it, in order; none where nothing was to change
     * @param standings how the proposals that changed stand now
     * @param changes what happened to which proposal, in order
     * @param faults what could not be done of it
     * @param first the first event's seq; 0 where there is none
     * @param seq the last event's; 0 where there is none
     */
    record Made(
            List<Message> messages,
            List<Standing> standings,
            List<Change> changes,
            List<Fault> faults,
            long first,
            long seq)
            implements Decision {
        public Made {
            messages = List.copyOf(messages);
            standings = List.copyOf(standings);
            changes = List.copyOf(changes);
            faults = List.copyOf(faults);
        }
    }

    /** Nothing happened, and this is why. */
    record Declined(List<Fault> faults) implements Decision {
        public Declined {
            faults = List.copyOf(faults);
        }
    }

    /**
     * It had been done before; this is what was sent then.
     *
     * @param faults what was not done of it
     * @param seq of the event it caused then
     */
    record Echoed(Sent sent, List<Fault> faults, long seq) implements Decision {
        public Echoed {
            faults = List.copyOf(faults);
        }
    }

    /** It is about no proposal: an answer to a request that fulfils none. */
    record Unrelated() implements Decision {}

    /** Nothing happened, through no fault of its sender. */
    record Unavailable(String reason, Duration retryAfter) implements Decision {}
}
