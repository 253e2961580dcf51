package dev.gavel.console.admin;

import dev.gavel.console.Frame;
import java.time.Instant;
import java.util.List;

/**
 * How the gateway is, at a glance.
 *
 * @param began when this process did
 * @param identities how many there are
 * @param admins who may do what the reader may
 * @param ledger in words, with how it looks
 */
public record Overview(
        Frame frame,
        String version,
        Instant began,
        int identities,
        List<String> admins,
        List<TopicLine> topics,
        List<Bridge> bridges,
        Condition ledger,
        List<String> roles) {
    public Overview {
        admins = List.copyOf(admins);
        topics = List.copyOf(topics);
        bridges = List.copyOf(bridges);
        roles = List.copyOf(roles);
    }

    /**
     * A topic.
     *
     * @param here who is connected now
     * @param open proposals that nobody has decided
     * @param ledger whether its proposals are kept
     */
    public record TopicLine(String name, int members, int here, int open, boolean ledger) {
        public String path() {
            return Paths.topic(name);
        }
    }

    /** How many are connected in all, each counted in every topic. */
    public int here() {
        return topics.stream().mapToInt(TopicLine::here).sum();
    }

    /** How many bridges are as they should be. */
    public long bridgesUp() {
        return bridges.stream().filter(Bridge::up).count();
    }
}
