package dev.gavel.web.registry;

import dev.gavel.web.identity.Identity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** Lists how one identity's run-time changes differ from the configuration, one line per difference. */
record ConfigDifferenceReport(RegistrySnapshot snapshot, String name, RuntimeIdentityChanges runtimeIdentityChanges) {
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        Optional<Identity> configured = snapshot.configuredIdentity(name);
        if (configured.isEmpty()) {
            return runtimeIdentityChanges.memberships().isEmpty()
                    ? lines
                    : List.of("'" + name + "' is in the configuration no more, so what was set for it has no effect");
        }
        configured
                .flatMap(Identity::token)
                .map(runtimeIdentityChanges.revokedConfigTokens()::get)
                .ifPresent(changeAttribution -> lines.add("the configured token of '" + name
                        + "' is refused: revoked by " + format(changeAttribution) + "; configure another one"));
        runtimeIdentityChanges
                .roleOverride()
                .filter(set -> !set.roles().equals(configured.get().roles()))
                .ifPresent(
                        set -> lines.add("the roles of '" + name + "' are " + new TreeSet<>(set.roles()) + ", set by "
                                + format(set.changeAttribution()) + "; the configuration says "
                                + new TreeSet<>(configured.get().roles())));
        runtimeIdentityChanges
                .memberships()
                .forEach((topic, membershipOverride) ->
                        membershipLine(topic, membershipOverride).ifPresent(lines::add));
        return lines;
    }

    private Optional<String> membershipLine(
            String topic, RuntimeIdentityChanges.MembershipOverride membershipOverride) {
        if (!snapshot.hasTopic(topic)) {
            return Optional.of("what '" + name + "' may send in '" + topic + "' was set by "
                    + format(membershipOverride.changeAttribution()) + ", and has no effect: there is no such topic");
        }
        if (membershipOverride.capabilitySet().equals(snapshot.configuredCapabilities(topic, name))) {
            return Optional.empty();
        }
        String what = membershipOverride.capabilitySet().isPresent()
                ? "what '" + name + "' may send in '" + topic + "' was set by "
                : "'" + name + "' was taken out of '" + topic + "' by ";
        return Optional.of(what + format(membershipOverride.changeAttribution())
                + ", whatever the configuration says; to go back: gavel member reset " + topic + " " + name);
    }

    private static String format(ChangeAttribution changeAttribution) {
        return changeAttribution.by() + " at " + changeAttribution.at();
    }
}
