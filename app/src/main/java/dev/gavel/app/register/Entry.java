package dev.gavel.app.register;

import dev.gavel.app.identity.TokenHash;
import dev.gavel.app.register.Change.MemberRemoved;
import dev.gavel.app.register.Change.MemberReset;
import dev.gavel.app.register.Change.MemberSet;
import dev.gavel.app.register.Change.RolesSet;
import dev.gavel.app.register.Change.TokenCreated;
import dev.gavel.app.register.Change.TokenRevoked;
import dev.gavel.mcpx.Capabilities;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * All that was changed at run time about one identity. Immutable.
 *
 * @param tokens those made at run time, the oldest first; of those that ended only the last
 * @param refused which of the configuration's tokens were revoked. One made at run time needs no such mark: it is refused
 *     as revoked, and later as unknown.
 * @param roles its roles, where they were set
 * @param places by topic, what differs there from the configuration
 */
record Entry(List<Token> tokens, Map<TokenHash, Act> refused, Optional<Roles> roles, Map<String, Place> places) {
    static final Entry NOTHING = new Entry(List.of(), Map.of(), Optional.empty(), Map.of());

    /** Tokens that ended are only shown: so many are kept for that when another is made. */
    static final int MOST_ENDED = 50;

    /** Roles that were set. */
    record Roles(Set<String> roles, Act act) {}

    /**
     * What was settled about a member of a topic.
     *
     * @param capabilities empty where they are no member
     */
    record Place(Optional<Capabilities> capabilities, Act act) {}

    /** Whether it was made at run time, be it that it is configured as well. */
    boolean made() {
        return !tokens.isEmpty();
    }

    /**
     * What it is after a change.
     *
     * @param configured the tokens the configuration names, whoever has them
     */
    Entry then(Change change, Act act, Set<TokenHash> configured) {
        return switch (change) {
            case TokenCreated(var id, var hash, var expiresAt) ->
                withTokens(plus(new Token(id, hash, Optional.of(act), expiresAt, Optional.empty()), act));
            case TokenRevoked(var id, var hash) ->
                new Entry(
                        tokens.stream()
                                .map(token -> token.hash().equals(hash) ? token.revoked(act) : token)
                                .toList(),
                        configured.contains(hash) ? refusing(hash, act) : refused,
                        roles,
                        places);
            case RolesSet(var set) -> new Entry(tokens, refused, Optional.of(new Roles(set, act)), places);
            case MemberSet(var topic, var capabilities) -> with(topic, new Place(Optional.of(capabilities), act));
            case MemberRemoved(var topic) -> with(topic, new Place(Optional.empty(), act));
            case MemberReset(var topic) -> {
                Map<String, Place> fewer = new LinkedHashMap<>(places);
                fewer.remove(topic);
                yield new Entry(tokens, refused, roles, Collections.unmodifiableMap(fewer));
            }
        };
    }

    private List<Token> plus(Token token, Act act) {
        List<Token> ended =
                tokens.stream().filter(each -> !each.active(act.at())).toList();
        List<Token> more = new ArrayList<>(tokens);
        more.removeAll(ended.subList(0, Math.max(0, ended.size() - MOST_ENDED)));
        more.add(token);
        return List.copyOf(more);
    }

    private Map<TokenHash, Act> refusing(TokenHash hash, Act act) {
        Map<TokenHash, Act> more = new LinkedHashMap<>(refused);
        more.putIfAbsent(hash, act);
        return Collections.unmodifiableMap(more);
    }

    private Entry withTokens(List<Token> others) {
        return new Entry(others, refused, roles, places);
    }

    private Entry with(String topic, Place place) {
        Map<String, Place> others = new LinkedHashMap<>(places);
        others.put(topic, place);
        return new Entry(tokens, refused, roles, Collections.unmodifiableMap(others));
    }
}
