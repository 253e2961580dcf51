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
 * @param tokens those made at run time, the oldest first
 * @param refused every hash that was ever revoked, also that of a configured token
 * @param roles its roles, where they were set
 * @param places by topic, what differs there from the configuration
 */
record Entry(List<Token> tokens, Map<TokenHash, Act> refused, Optional<Roles> roles, Map<String, Place> places) {
    static final Entry NOTHING = new Entry(List.of(), Map.of(), Optional.empty(), Map.of());

    /** Tokens that ended are only shown: so many are kept for that, with those that have not. */
    private static final int MOST_SHOWN = 200;

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

    Entry then(Change change, Act act) {
        return switch (change) {
            case TokenCreated(var id, var hash, var expiresAt) ->
                withTokens(plus(new Token(id, hash, Optional.of(act), expiresAt, Optional.empty()), act));
            case TokenRevoked(var id, var hash) -> {
                Map<TokenHash, Act> more = new LinkedHashMap<>(refused);
                more.putIfAbsent(hash, act);
                List<Token> after = tokens.stream()
                        .map(token -> token.hash().equals(hash) ? token.revoked(act) : token)
                        .toList();
                yield new Entry(after, Collections.unmodifiableMap(more), roles, places);
            }
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
        List<Token> more = new ArrayList<>(tokens);
        more.add(token);
        for (int i = 0; more.size() > MOST_SHOWN && i < more.size(); i++) {
            if (!more.get(i).active(act.at())) {
                more.remove(i--);
            }
        }
        return List.copyOf(more);
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
