package dev.gavel.app.edge.console.admin;

import dev.gavel.app.edge.console.session.Visitor;
import dev.gavel.app.identity.Identity;
import dev.gavel.app.register.Act;
import dev.gavel.app.register.Register;
import dev.gavel.app.register.Token;
import dev.gavel.console.admin.CapabilityLines;
import dev.gavel.console.admin.Condition;
import dev.gavel.console.admin.IdentityLine;
import dev.gavel.console.admin.IdentityPage;
import dev.gavel.console.admin.TokenLine;
import dev.gavel.mcpx.text.SafeText;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Everybody, as pages show them. Immutable.
 *
 * @param configured whom the configuration names
 */
record People(Register register, Set<String> configured, Instant now) {
    /** Those of whom a search speaks: by id, name, role or topic. */
    List<IdentityLine> found(String wanted) {
        String words = wanted.toLowerCase(Locale.ROOT);
        return register.names().stream()
                .map(this::line)
                .filter(who -> words.isEmpty()
                        || Stream.concat(
                                        Stream.of(who.id(), who.name()),
                                        Stream.concat(who.roles().stream(), who.topics().stream()))
                                .anyMatch(each -> each.toLowerCase(Locale.ROOT).contains(words)))
                .sorted(Comparator.comparing(who -> who.id().toLowerCase(Locale.ROOT)))
                .toList();
    }

    List<String> admins() {
        return register.names().stream()
                .filter(name -> register.roles(name).contains(Identity.ADMIN))
                .sorted()
                .toList();
    }

    IdentityLine line(String name) {
        List<Token> tokens = register.tokens(name);
        return new IdentityLine(
                name,
                SafeText.line(register.identity(name).name()),
                register.roles(name).stream().sorted().toList(),
                register.topicsOf(name),
                new IdentityLine.Tokens(
                        count(tokens, Token.State.ACTIVE),
                        count(tokens, Token.State.EXPIRED),
                        count(tokens, Token.State.REVOKED)),
                configured.contains(name),
                register.isOwn(name));
    }

    private int count(List<Token> tokens, Token.State state) {
        return (int) tokens.stream().filter(token -> token.state(now) == state).count();
    }

    /** Somebody's tokens: those that are good first, and of those the newest. */
    List<TokenLine> tokens(String name, Visitor reader) {
        return register.tokens(name).reversed().stream()
                .sorted(Comparator.comparing(token -> token.state(now) != Token.State.ACTIVE))
                .map(token -> new TokenLine(
                        token.id(),
                        switch (token.state(now)) {
                            case ACTIVE -> Condition.good("valid");
                            case EXPIRED -> Condition.quiet("expired");
                            case REVOKED -> Condition.bad("revoked");
                        },
                        token.state(now) == Token.State.ACTIVE,
                        token.made().map(People::deed),
                        token.expiresAt(),
                        token.revoked().map(People::deed),
                        isOf(token, reader)))
                .toList();
    }

    private static TokenLine.Deed deed(Act act) {
        return new TokenLine.Deed(SafeText.line(act.by()), act.at());
    }

    /** Whether somebody is signed in with a token. */
    static boolean isOf(Token token, Visitor reader) {
        return token.hash().equals(reader.session().token());
    }

    List<IdentityPage.Place> places(String name) {
        return register.topicsOf(name).stream()
                .map(topic -> new IdentityPage.Place(
                        topic,
                        register.capabilities(topic, name)
                                .map(CapabilityLines::of)
                                .orElse("")))
                .toList();
    }
}
