package dev.gavel.app.register;

import dev.gavel.app.identity.Identity;
import dev.gavel.app.register.Change.MemberRemoved;
import dev.gavel.app.register.Change.MemberReset;
import dev.gavel.app.register.Change.MemberSet;
import dev.gavel.app.register.Change.RolesSet;
import dev.gavel.app.register.Change.TokenCreated;
import dev.gavel.app.register.Change.TokenRevoked;
import dev.gavel.app.register.Command.CreateToken;
import dev.gavel.app.register.Command.RemoveMember;
import dev.gavel.app.register.Command.ResetMember;
import dev.gavel.app.register.Command.RevokeTokens;
import dev.gavel.app.register.Command.SetMember;
import dev.gavel.app.register.Command.SetRoles;
import dev.gavel.app.register.Ruling.Changed;
import dev.gavel.app.register.Ruling.Refused;
import dev.gavel.app.register.Ruling.Why;
import dev.gavel.mcpx.Capabilities;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Says what comes of a command: a pure function of how things stand, who wants it, and when.
 *
 * @param actor who wants it
 */
record Rulebook(Register register, String actor, Instant now) {
    static final int MOST_IDENTITIES = 10_000;
    static final int MOST_TOKENS = 100;

    Ruling decide(Command command) {
        if (!register.isAdmin(actor)) {
            return refused(Why.NOT_ADMIN, "'" + actor + "' does not have the role admin");
        }
        Ruling ruling = switch (command) {
            case CreateToken create -> create(create);
            case RevokeTokens(String name, Optional<String> id) ->
                register.knows(name) ? id.map(it -> revoke(name, it)).orElseGet(() -> revoke(name)) : unknown(name);
            case SetRoles(String name, Set<String> roles) ->
                register.knows(name) ? new Changed(roles(name, roles)) : unknown(name);
            case SetMember(String topic, String name, Capabilities capabilities) ->
                inTopic(topic, name, () -> new Changed(set(topic, name, capabilities)));
            case RemoveMember(String topic, String name) ->
                register.hasTopic(topic) ? remove(topic, name) : noSuchTopic(topic);
            case ResetMember(String topic, String name) ->
                inTopic(
                        topic,
                        name,
                        () -> new Changed(
                                register.settledAtRunTime(topic, name) ? List.of(new MemberReset(topic)) : List.of()));
        };
        return ruling instanceof Changed(List<Change> changes) && locksEverybodyOut(command.name(), changes)
                ? refused(
                        Why.LAST_ADMIN,
                        "then nobody with the role admin would have a token that is good, and stays so; make one that"
                                + " does not expire for another admin first")
                : ruling;
    }

    /** Where an admin had a token without an end, one that ends would only put it off. */
    private boolean locksEverybodyOut(String name, List<Change> changes) {
        Register then = register.after(name, changes, new Act(actor, now));
        return register.hasLastingAdmin(now)
                ? !then.hasLastingAdmin(now)
                : register.hasAdmin(now) && !then.hasAdmin(now);
    }

    private Ruling create(CreateToken create) {
        String name = create.name();
        if (register.isOwn(name)) {
            return refused(
                    Why.BRIDGED,
                    "'" + name
                            + "' is run by this server itself and needs no token; who came with one would run its calls"
                            + " a second time. Use another name");
        }
        if (!register.knows(name) && register.names().size() >= MOST_IDENTITIES) {
            return refused(
                    Why.TOO_MANY,
                    "there are " + MOST_IDENTITIES + " identities, and more are not allowed; use a name again");
        }
        if (register.tokens(name).stream().filter(token -> token.active(now)).count() >= MOST_TOKENS) {
            return refused(
                    Why.TOO_MANY,
                    "'" + name + "' has " + MOST_TOKENS
                            + " tokens that are good, and more are not allowed; revoke some");
        }
        List<Change> changes = new ArrayList<>();
        changes.add(
                new TokenCreated(create.id(), create.hash(), create.lifetime().map(this::until)));
        boolean again = usedAgain(name);
        create.roles()
                .or(() -> again ? Optional.of(configuredRoles(name)) : Optional.empty())
                .ifPresent(roles -> changes.addAll(roles(name, roles)));
        boolean stranger = again && register.configured(name).isEmpty();
        if (stranger) {
            register.entry(name).places().keySet().forEach(topic -> changes.add(new MemberReset(topic)));
        }
        if (create.topic().isPresent()) {
            String topic = create.topic().get();
            if (!register.hasTopic(topic)) {
                return noSuchTopic(topic);
            }
            if (create.capabilities().isEmpty()
                    && (stranger || register.capabilities(topic, name).isEmpty())) {
                return refused(
                        Why.BAD_CAPABILITY,
                        "'" + name + "' is no member of '" + topic + "': say in 'capabilities' what it may send there");
            }
            create.capabilities()
                    .ifPresent(capabilities -> changes.addAll(
                            stranger ? List.of(new MemberSet(topic, capabilities)) : set(topic, name, capabilities)));
        }
        return new Changed(changes);
    }

    /**
     * Whether nobody goes by that name any more, whatever is left of who did: whoever comes next is not to find it. A
     * configured identity that never had a token is only prepared for its first.
     */
    private boolean usedAgain(String name) {
        List<Token> tokens = register.tokens(name);
        return tokens.stream().noneMatch(token -> token.active(now))
                && !(tokens.isEmpty() && register.configured(name).isPresent());
    }

    private Set<String> configuredRoles(String name) {
        return register.configured(name).map(Identity::roles).orElse(Set.of());
    }

    private List<Change> roles(String name, Set<String> roles) {
        return roles.equals(register.roles(name)) ? List.of() : List.of(new RolesSet(roles));
    }

    /** To the millisecond: nobody wants to read more of a time that is months away. */
    private Instant until(Duration lifetime) {
        return now.plus(lifetime).truncatedTo(ChronoUnit.MILLIS);
    }

    private Ruling revoke(String name) {
        List<Token> tokens = register.tokens(name);
        List<Change> changes = tokens.stream()
                .filter(token -> token.active(now))
                .<Change>map(token -> new TokenRevoked(token.id(), token.hash()))
                .toList();
        if (tokens.isEmpty()) {
            return refused(Why.UNKNOWN_TOKEN, "'" + name + "' has no token");
        }
        return changes.isEmpty()
                ? refused(Why.ALREADY_REVOKED, "no token of '" + name + "' is good any more")
                : new Changed(changes);
    }

    private Ruling revoke(String name, String id) {
        Optional<Token> found = register.tokens(name).stream()
                .filter(token -> token.id().equals(id))
                .findFirst();
        if (found.isEmpty()) {
            return refused(Why.UNKNOWN_TOKEN, "'" + name + "' has no token of that id");
        }
        Token token = found.get();
        return token.active(now)
                ? new Changed(List.of(new TokenRevoked(token.id(), token.hash())))
                : refused(
                        Why.ALREADY_REVOKED,
                        "that token of '" + name + "' is " + token.state(now).word() + " already");
    }

    private Ruling inTopic(String topic, String name, Supplier<Ruling> otherwise) {
        if (!register.hasTopic(topic)) {
            return noSuchTopic(topic);
        }
        return register.knows(name) ? otherwise.get() : unknown(name);
    }

    private List<Change> set(String topic, String name, Capabilities capabilities) {
        boolean same = register.settledAtRunTime(topic, name)
                && register.capabilities(topic, name)
                        .filter(capabilities::equals)
                        .isPresent();
        return same ? List.of() : List.of(new MemberSet(topic, capabilities));
    }

    private Ruling remove(String topic, String name) {
        if (register.capabilities(topic, name).isEmpty()) {
            return refused(Why.NOT_A_MEMBER, "'" + name + "' is no member of '" + topic + "'");
        }
        return new Changed(List.of(new MemberRemoved(topic)));
    }

    private static Ruling unknown(String name) {
        return refused(Why.UNKNOWN_IDENTITY, "nobody is called '" + name + "'");
    }

    private static Ruling noSuchTopic(String topic) {
        return refused(Why.NO_SUCH_TOPIC, "there is no topic '" + topic + "'");
    }

    private static Ruling refused(Why why, String detail) {
        return new Refused(why, detail);
    }
}
