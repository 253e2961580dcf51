package dev.gavel.web.console.admin;

import dev.gavel.gateway.proposal.MemberNames;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.web.console.session.ConsoleUser;
import dev.gavel.web.identity.Identity;
import dev.gavel.web.registry.ChangeAttribution;
import dev.gavel.web.registry.RegistrySnapshot;
import dev.gavel.web.registry.RegistryToken;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Searches the registered identities and builds the rows in which the admin pages show them and their tokens.
 * Immutable.
 *
 * @param configuredIds the identities that the configuration names
 */
record IdentityRowBuilder(RegistrySnapshot registrySnapshot, Set<String> configuredIds, Instant now) {
    /** Returns the identities whose id, name, role or topic contains the text. */
    List<IdentityRow> search(String query) {
        String lowerCaseQuery = query.toLowerCase(Locale.ROOT);
        return registrySnapshot.names().stream()
                .map(this::row)
                .filter(row -> lowerCaseQuery.isEmpty()
                        || Stream.concat(
                                        Stream.of(row.id(), row.name()),
                                        Stream.concat(row.roles().stream(), row.topics().stream()))
                                .anyMatch(each -> each.toLowerCase(Locale.ROOT).contains(lowerCaseQuery)))
                .sorted(Comparator.comparing(row -> row.id().toLowerCase(Locale.ROOT)))
                .toList();
    }

    List<IdentityLabel> admins() {
        return registrySnapshot.names().stream()
                .filter(name -> registrySnapshot.roles(name).contains(Identity.ADMIN))
                .sorted()
                .map(name -> label(registrySnapshot, name))
                .toList();
    }

    static IdentityLabel label(RegistrySnapshot registrySnapshot, String name) {
        return new IdentityLabel(
                name, SafeText.line(registrySnapshot.identity(name).name()));
    }

    IdentityRow row(String name) {
        List<RegistryToken> tokens = registrySnapshot.tokens(name);
        return new IdentityRow(
                name,
                label(registrySnapshot, name).name(),
                registrySnapshot.roles(name).stream().sorted().toList(),
                registrySnapshot.topicsOf(name),
                new IdentityRow.TokenCounts(
                        count(tokens, RegistryToken.State.ACTIVE),
                        count(tokens, RegistryToken.State.EXPIRED),
                        count(tokens, RegistryToken.State.REVOKED)),
                configuredIds.contains(name),
                registrySnapshot.isOwnParticipant(name));
    }

    private int count(List<RegistryToken> tokens, RegistryToken.State state) {
        return (int) tokens.stream().filter(token -> token.state(now) == state).count();
    }

    /** Returns the tokens of an identity: valid tokens first, and newest first among them. */
    List<TokenRow> tokens(String name, ConsoleUser reader) {
        MemberNames names = registrySnapshot.displayNames();
        return registrySnapshot.tokens(name).reversed().stream()
                .sorted(Comparator.comparing(token -> token.state(now) != RegistryToken.State.ACTIVE))
                .map(token -> new TokenRow(
                        token.id(),
                        switch (token.state(now)) {
                            case ACTIVE -> StatusBadge.good("valid");
                            case EXPIRED -> StatusBadge.quiet("expired");
                            case REVOKED -> StatusBadge.bad("revoked");
                        },
                        token.state(now) == RegistryToken.State.ACTIVE,
                        token.created().map(change -> stamp(change, names)),
                        token.expiresAt(),
                        token.revoked().map(change -> stamp(change, names)),
                        isCurrentToken(token, reader)))
                .toList();
    }

    private static TokenRow.ActionStamp stamp(ChangeAttribution change, MemberNames names) {
        return new TokenRow.ActionStamp(SafeText.line(names.of(change.by())), change.at());
    }

    /** Whether the reader is signed in with this token. */
    static boolean isCurrentToken(RegistryToken token, ConsoleUser reader) {
        return token.hash().equals(reader.session().token());
    }

    List<IdentityDetailPage.Membership> memberships(String name) {
        return registrySnapshot.topicsOf(name).stream()
                .map(topic -> new IdentityDetailPage.Membership(
                        topic,
                        registrySnapshot
                                .capabilities(topic, name)
                                .map(CapabilityTextFormat::format)
                                .orElse("")))
                .toList();
    }
}
