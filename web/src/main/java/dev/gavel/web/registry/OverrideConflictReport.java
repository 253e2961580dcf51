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
                    : List.of("'" + name
                            + "' is no longer in the configuration, so its run-time changes have no effect.");
        }
        configuredIdentity
                .flatMap(Identity::token)
                .map(identityOverrides.revokedConfigTokens()::get)
                .ifPresent(changeAttribution -> lines.add("The configured token of '" + name + "' was revoked by "
                        + format(changeAttribution) + ". Configure another token."));
        identityOverrides
                .roleOverride()
                .filter(roleOverride ->
                        !roleOverride.roles().equals(configuredIdentity.get().roles()))
                .ifPresent(roleOverride ->
                        lines.add("The roles of '" + name + "' are " + new TreeSet<>(roleOverride.roles()) + ", set by "
                                + format(roleOverride.changeAttribution()) + ". The configured roles are "
                                + new TreeSet<>(configuredIdentity.get().roles()) + "."));
        identityOverrides
                .memberships()
                .forEach((topic, membershipOverride) ->
                        membershipLine(topic, membershipOverride).ifPresent(lines::add));
        return lines;
    }

    private Optional<String> membershipLine(String topic, IdentityOverrides.MembershipOverride membershipOverride) {
        if (!snapshot.hasTopic(topic)) {
            return Optional.of("The capabilities of '" + name + "' in '" + topic + "' were set by "
                    + format(membershipOverride.changeAttribution()) + " but have no effect: there is no such topic.");
        }
        if (membershipOverride.capabilitySet().equals(snapshot.configuredCapabilities(topic, name))) {
            return Optional.empty();
        }
        String description = membershipOverride.capabilitySet().isPresent()
                ? "The capabilities of '" + name + "' in '" + topic + "' were set by "
                : "'" + name + "' was removed from '" + topic + "' by ";
        return Optional.of(description + format(membershipOverride.changeAttribution())
                + ", which overrides the configuration. To reset: gavel member reset " + topic + " " + name);
    }

    private static String format(ChangeAttribution changeAttribution) {
        return changeAttribution.by() + " at " + changeAttribution.at();
    }
}
