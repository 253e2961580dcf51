package dev.gavel.gateway.routing;

import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.ParseResult;
import dev.gavel.mcpx.Recipient;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The members that an envelope's {@code to} entries resolve to, with messages for the entries that match none.
 *
 * @param names the named members, and those that a {@code can:} entry matches
 * @param unknownMessages one message for each entry that matches no member
 * @param broadcast whether the envelope is addressed to all participants, because {@code to} is absent or empty
 * @param resolved whether the entries contain a {@code can:}, so that {@code to} must be rewritten
 */
public record ResolvedRecipients(Set<String> names, List<String> unknownMessages, boolean broadcast, boolean resolved) {
    private static final int MAX_NAMED = 5;
    private static final ResolvedRecipients BROADCAST = new ResolvedRecipients(Set.of(), List.of(), true, false);

    public static ResolvedRecipients resolve(
            List<String> to, Predicate<String> isMember, Function<Kind, List<String>> membersAble) {
        if (to.isEmpty()) {
            return BROADCAST;
        }
        Set<String> names = new LinkedHashSet<>();
        List<String> unknownMessages = new ArrayList<>(0);
        boolean resolved = false;
        for (String entry : new LinkedHashSet<>(to)) {
            switch (Recipient.parse(entry)) {
                case ParseResult.Valid<Recipient>(Recipient.Member(String id)) -> {
                    if (isMember.test(id)) {
                        names.add(id);
                    } else {
                        unknownMessages.add("'" + id + "' in 'to' is no member of this topic; check the name.");
                    }
                }
                case ParseResult.Valid<Recipient>(Recipient.WithCapability(Kind kind)) -> {
                    resolved = true;
                    List<String> matches = membersAble.apply(kind);
                    names.addAll(matches);
                    if (matches.isEmpty()) {
                        unknownMessages.add("Nobody here can send " + kind + " now; try again when somebody is.");
                    }
                }
                case ParseResult.Invalid<Recipient>(String problem) -> unknownMessages.add("In 'to', " + problem);
            }
        }
        return new ResolvedRecipients(names, unknownMessages, false, resolved);
    }

    /** Returns recipients that another process resolved. */
    public static ResolvedRecipients resolved(Optional<List<String>> to) {
        return to.map(names -> new ResolvedRecipients(Set.copyOf(names), List.of(), false, false))
                .orElse(BROADCAST);
    }

    /**
     * Returns one message for all entries that match no member: an error for each would let one envelope cause many.
     */
    public Optional<String> unknownMessage() {
        if (unknownMessages.isEmpty()) {
            return Optional.empty();
        }
        int more = unknownMessages.size() - MAX_NAMED;
        String listed = String.join(" ", unknownMessages.subList(0, Math.min(unknownMessages.size(), MAX_NAMED)));
        return Optional.of(more > 0 ? listed + " And " + more + " more." : listed);
    }

    /** Whether the envelope is addressed, but no entry matches a member. */
    public boolean isEmpty() {
        return !broadcast && names.isEmpty();
    }
}
