package dev.gavel.web.console.admin;

import dev.gavel.web.console.page.PageLayoutData;
import java.time.Instant;
import java.util.List;

/**
 * The start page of the admin pages, with the status of ledger, bridges, topics and identities.
 *
 * @param startedAt when this process started
 * @param identities the number of identities
 * @param admins the identities with the role admin
 * @param ledger the status of the ledger
 */
public record AdminOverviewPage(
        PageLayoutData frame,
        String version,
        Instant startedAt,
        int identities,
        List<IdentityLabel> admins,
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
     * A topic in the list of topics.
     *
     * @param connected the number of connected participants
     * @param open the number of undecided proposals
     * @param ledger whether a ledger stores the topic's proposals
     */
    public record TopicRow(String name, int members, int connected, int open, boolean ledger) {
        public String path() {
            return AdminPaths.topic(name);
        }
    }

    /** The number of connections in all topics; a participant counts once in each topic. */
    public int connected() {
        return topics.stream().mapToInt(TopicRow::connected).sum();
    }

    /** The number of bridges that work as intended. */
    public long bridgesUp() {
        return bridgeRows.stream().filter(BridgeRow::up).count();
    }
}
