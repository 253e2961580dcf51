package dev.gavel.gateway;

import dev.gavel.gateway.proposal.Members;
import dev.gavel.mcpx.Capabilities;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The members of a topic, in the order they became members. Read on any thread; changed on the topic's loop alone. */
final class Roll {
    private volatile Map<String, Membership> memberships;

    Roll(List<Member> members) {
        Map<String, Membership> first = new LinkedHashMap<>();
        members.forEach(member -> first.put(member.id(), new Membership(member)));
        memberships = first;
    }

    Optional<Membership> of(String id) {
        return Optional.ofNullable(memberships.get(id));
    }

    boolean has(String id) {
        return memberships.containsKey(id);
    }

    Set<String> ids() {
        return Collections.unmodifiableSet(memberships.keySet());
    }

    List<Member> members() {
        return memberships.values().stream().map(Membership::member).toList();
    }

    /** The members as proposals see them. */
    Members forProposals() {
        Map<String, Capabilities> capabilities = new LinkedHashMap<>();
        members().forEach(member -> capabilities.put(member.id(), member.capabilities()));
        return new Members(capabilities);
    }

    /** Enters a member, or what they may send from now on; says whether that is anything new. */
    boolean enter(Member member) {
        Membership before = memberships.get(member.id());
        if (before == null) {
            Map<String, Membership> after = new LinkedHashMap<>(memberships);
            after.put(member.id(), new Membership(member));
            memberships = after;
            return true;
        }
        boolean changed = !before.member().equals(member);
        before.become(member);
        return changed;
    }

    /** Strikes a member off. */
    Optional<Membership> strike(String id) {
        Map<String, Membership> after = new LinkedHashMap<>(memberships);
        Optional<Membership> struck = Optional.ofNullable(after.remove(id));
        memberships = after;
        struck.ifPresent(Membership::end);
        return struck;
    }
}
