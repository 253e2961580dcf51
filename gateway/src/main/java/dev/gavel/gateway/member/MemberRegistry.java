package dev.gavel.gateway.member;

import dev.gavel.gateway.proposal.CapabilitiesByMember;
import dev.gavel.gateway.proposal.MemberNames;
import dev.gavel.mcpx.CapabilitySet;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The memberships of a topic, in the order in which they were added. Read on any thread; changed only on the topic's
 * loop.
 */
public final class MemberRegistry {
    private volatile Map<String, LiveMembership> memberships;

    public MemberRegistry(List<Member> members) {
        Map<String, LiveMembership> first = new LinkedHashMap<>();
        members.forEach(member -> first.put(member.id(), new LiveMembership(member)));
        memberships = first;
    }

    public Optional<LiveMembership> find(String id) {
        return Optional.ofNullable(memberships.get(id));
    }

    public boolean contains(String id) {
        return memberships.containsKey(id);
    }

    public Set<String> ids() {
        return Collections.unmodifiableSet(memberships.keySet());
    }

    public List<Member> members() {
        return memberships.values().stream().map(LiveMembership::member).toList();
    }

    /** Returns the capabilities and names of all members, as the proposal deciders need them. */
    public CapabilitiesByMember capabilities() {
        return capabilities(members());
    }

    /** Returns the capabilities and names of these members. */
    public static CapabilitiesByMember capabilities(List<Member> members) {
        Map<String, CapabilitySet> capabilitySets = new LinkedHashMap<>();
        Map<String, String> displayNames = new LinkedHashMap<>();
        members.forEach(member -> {
            capabilitySets.put(member.id(), member.capabilitySet());
            displayNames.put(member.id(), member.displayName());
        });
        return new CapabilitiesByMember(capabilitySets, MemberNames.of(displayNames));
    }

    /** Adds a member or updates its capabilities. Returns whether anything changed. */
    public boolean put(Member member) {
        LiveMembership existing = memberships.get(member.id());
        if (existing == null) {
            Map<String, LiveMembership> updated = new LinkedHashMap<>(memberships);
            updated.put(member.id(), new LiveMembership(member));
            memberships = updated;
            return true;
        }
        boolean changed = !existing.member().equals(member);
        existing.update(member);
        return changed;
    }

    /** Removes a member and ends its membership. */
    public Optional<LiveMembership> remove(String id) {
        Map<String, LiveMembership> updated = new LinkedHashMap<>(memberships);
        Optional<LiveMembership> removed = Optional.ofNullable(updated.remove(id));
        memberships = updated;
        removed.ifPresent(LiveMembership::end);
        return removed;
    }
}
