package dev.gavel.gateway.routing;

import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.Recipient;
import dev.gavel.mcpx.ValueParseResult;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The members that the {@code to} field of an envelope addresses, with an error message for each entry that matches no
 * member.
 *
 * @param memberIds the named members, and those that a {@code can:} entry matches
 * @param unmatchedEntryMessages one message for each entry that matches no member
 * @param broadcast whether the envelope is addressed to all participants, because {@code to} is absent or empty
 * @param rewritesTo whether the entries contain a {@code can:}, so that {@code to} must be rewritten
 */
public record ResolvedRecipients(
        Set<String> memberIds, List<String> unmatchedEntryMessages, boolean broadcast, boolean rewritesTo) {
    private static final int MAX_NAMED = 5;
    private static final ResolvedRecipients BROADCAST = new ResolvedRecipients(Set.of(), List.of(), true, false);

    public static ResolvedRecipients resolve(
            List<String> to, Predicate<String> isMember, Function<Kind, List<String>> membersThatMaySend) {
        if (to.isEmpty()) {
            return BROADCAST;
        }
        Set<String> names = new LinkedHashSet<>();
        List<String> unknownMessages = new ArrayList<>(0);
        boolean resolved = false;
        for (String entry : new LinkedHashSet<>(to)) {
            switch (Recipient.parse(entry)) {
                case ValueParseResult.Valid<Recipient>(Recipient.Member(String id)) -> {
                    if (isMember.test(id)) {
                        names.add(id);
                    } else {
                        unknownMessages.add("'" + id + "' in 'to' is not a member of this topic. Check the name.");
                    }
                }
                case ValueParseResult.Valid<Recipient>(Recipient.WithCapability(Kind kind)) -> {
                    resolved = true;
                    List<String> matches = membersThatMaySend.apply(kind);
                    names.addAll(matches);
                    if (matches.isEmpty()) {
                        unknownMessages.add("No connected participant can send " + kind + ". Try again later.");
                    }
                }
                case ValueParseResult.Invalid<Recipient>(String problem) ->
                    unknownMessages.add("In 'to', " + problem + ".");
            }
        }
        return new ResolvedRecipients(names, unknownMessages, false, resolved);
    }

    /** Returns recipients that another process resolved. */
    public static ResolvedRecipients fromRemote(Optional<List<String>> to) {
        return to.map(names -> new ResolvedRecipients(Set.copyOf(names), List.of(), false, false))
                .orElse(BROADCAST);
    }

    /**
     * Returns one message for all entries that match no member: an error for each would let one envelope cause many.
     */
    public Optional<String> unmatchedEntriesMessage() {
        if (unmatchedEntryMessages.isEmpty()) {
            return Optional.empty();
        }
        int more = unmatchedEntryMessages.size() - MAX_NAMED;
        String listed =
                String.join(" ", unmatchedEntryMessages.subList(0, Math.min(unmatchedEntryMessages.size(), MAX_NAMED)));
        return Optional.of(more > 0 ? listed + " And " + more + " more." : listed);
    }

    /** Whether the envelope is addressed, but no entry matches a member. */
    public boolean matchesNobody() {
        return !broadcast && memberIds.isEmpty();
    }
}
