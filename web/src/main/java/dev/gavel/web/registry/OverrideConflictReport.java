package dev.gavel.web.registry;

import dev.gavel.web.identity.Identity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Reports, one line per conflict, the run-time changes of an identity that contradict the configuration file or have no
 * effect.
 */
record OverrideConflictReport(RegistrySnapshot snapshot, String name, IdentityOverrides identityOverrides) {
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        Optional<Identity> configuredIdentity = snapshot.configuredIdentity(name);
        if (configuredIdentity.isEmpty()) {
            return identityOverrides.memberships().isEmpty()
                    ? lines
                    : List.of("'" + name + "' is in the configuration no more, so what was set for it has no effect");
        }
        configuredIdentity
                .flatMap(Identity::token)
                .map(identityOverrides.revokedConfigTokens()::get)
                .ifPresent(changeAttribution -> lines.add("the configured token of '" + name
                        + "' is refused: revoked by " + format(changeAttribution) + "; configure another one"));
        identityOverrides
                .roleOverride()
                .filter(roleOverride ->
                        !roleOverride.roles().equals(configuredIdentity.get().roles()))
                .ifPresent(roleOverride ->
                        lines.add("the roles of '" + name + "' are " + new TreeSet<>(roleOverride.roles()) + ", set by "
                                + format(roleOverride.changeAttribution()) + "; the configuration says "
                                + new TreeSet<>(configuredIdentity.get().roles())));
        identityOverrides
                .memberships()
                .forEach((topic, membershipOverride) ->
                        membershipLine(topic, membershipOverride).ifPresent(lines::add));
        return lines;
    }

    private Optional<String> membershipLine(String topic, IdentityOverrides.MembershipOverride membershipOverride) {
        if (!snapshot.hasTopic(topic)) {
            return Optional.of("what '" + name + "' may send in '" + topic + "' was set by "
                    + format(membershipOverride.changeAttribution()) + ", and has no effect: there is no such topic");
        }
        if (membershipOverride.capabilitySet().equals(snapshot.configuredCapabilities(topic, name))) {
            return Optional.empty();
        }
        String description = membershipOverride.capabilitySet().isPresent()
                ? "what '" + name + "' may send in '" + topic + "' was set by "
                : "'" + name + "' was taken out of '" + topic + "' by ";
        return Optional.of(description + format(membershipOverride.changeAttribution())
                + ", whatever the configuration says; to go back: gavel member reset " + topic + " " + name);
    }

    private static String format(ChangeAttribution changeAttribution) {
        return changeAttribution.by() + " at " + changeAttribution.at();
    }
}
