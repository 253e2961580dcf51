package dev.gavel.gateway.proposal;

import dev.gavel.mcpx.Spelling;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * An envelope to be delivered, once what it caused is durable.
 *
 * @param sent the envelope, with the recipients it was resolved to; none is a broadcast
 * @param also who is sent it besides, in whatever mode: those whose proposals it concerns
 * @param about the correlationIds to deliver it with: those that succeeded
 */
public record Route(Sent sent, Set<String> also, List<String> about) {
    public Route {
        also = Set.copyOf(also);
        about = List.copyOf(about);
    }

    /** Besides those it names, an envelope reaches the proposers of what it is about; its sender gets the echo. */
    static Route of(Sent sent, List<Proposal> concerned, List<String> about) {
        return new Route(
                sent,
                concerned.stream()
                        .map(Proposal::proposer)
                        .filter(proposer -> !proposer.equals(sent.from()))
                        .collect(Collectors.toUnmodifiableSet()),
                about);
    }

    /** The bytes to send a receiver of that spelling. */
    public byte[] encode(Spelling spelling) {
        return sent.about(about).encode(spelling);
    }

    /** Whether it goes to a participant who is only sent what is meant for them. */
    public boolean concerns(String participant) {
        return sent.to().isEmpty() || sent.to().contains(participant) || also.contains(participant);
    }
}
