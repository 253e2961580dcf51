package dev.gavel.web.console.admin;

import dev.gavel.web.console.page.PageFrame;
import java.time.Instant;
import java.util.List;

/**
 * The start page of the admin pages, with the status of ledger, bridges, topics and identities.
 *
 * @param startedAt when this process did
 * @param identities how many there are
 * @param admins who may do what the reader may
 * @param ledger in words, with how it looks
 */
public record AdminOverviewPage(
        PageFrame frame,
        String version,
        Instant startedAt,
        int identities,
        List<String> admins,
        List<TopicRow> topics,
        List<BridgeRow> bridgeRows,
        StatusBadge ledger,
        List<String> roles) {
    public AdminOverviewPage {
        admins = List.copyOf(admins);
        topics = List.copyOf(topics);
        bridgeRows = List.copyOf(bridgeRows);
        roles = List.copyOf(roles);
    }

    /**
     * A topic.
     *
     * @param connected who is connected now
     * @param open proposals that nobody has decided
     * @param ledger whether its proposals are kept
     */
    public record TopicRow(String name, int members, int connected, int open, boolean ledger) {
        public String path() {
            return AdminPaths.topic(name);
        }
    }

    /** How many are connected in all, each counted in every topic. */
    public int connected() {
        return topics.stream().mapToInt(TopicRow::connected).sum();
    }

    /** How many bridges are as they should be. */
    public long bridgesUp() {
        return bridgeRows.stream().filter(BridgeRow::up).count();
    }
}
