package dev.gavel.gateway.topic;

import dev.gavel.gateway.metrics.TopicMetricsSnapshot;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Samples the gauges of a topic: connections, pollers, participants, queued bytes and proposals. Confined to the
 * topic's loop.
 *
 * @param proposals null if the topic has no ledger
 */
record TopicGaugeSampler(
        PresenceRegistry presenceRegistry, @Nullable TopicProposals proposals) {
    TopicMetricsSnapshot.Gauges sample() {
        List<TopicConnection> all = presenceRegistry.allConnections();
        int sockets = (int) all.stream().filter(TopicConnection::isSocket).count();
        return new TopicMetricsSnapshot.Gauges(
                sockets,
                all.size() - sockets,
                proposals == null ? 0 : proposals.longPolls().waitingCount(),
                presenceRegistry.localMemberCount(),
                all.stream().mapToInt(each -> each.inboundQueue().queuedCount()).sum(),
                all.stream()
                        .mapToLong(each -> each.receiver().channel().pendingBytes())
                        .sum(),
                proposals == null ? TopicMetricsSnapshot.ProposalCounts.NONE : proposals.counts());
    }
}
