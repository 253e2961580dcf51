package dev.gavel.web.console.sep;

import dev.gavel.lifecycle.process.ProposalTerms;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.sep.service.SepOperation;
import java.util.Map;
import java.util.Optional;

/** The messages that a SEP's page shows after a successful action, selected by a query parameter. Stateless. */
public final class SepActionSuccessMessages {
    /** The query parameter that selects the confirmation. */
    public static final String PARAMETER = "did";

    private static final String MOVED = SepOperation.MOVE.wireName();

    private static final Map<String, String> MESSAGES = Map.ofEntries(
            Map.entry("vote-yes", "You voted yes."),
            Map.entry("vote-no", "You voted no."),
            Map.entry("vote-abstain", "You abstained."),
            Map.entry("vote-concern", "You raised a concern."),
            Map.entry("vote-recuse", "You take no part in this vote."),
            Map.entry(SepOperation.CONFIRM.wireName(), "You confirmed the evidence."),
            Map.entry(SepOperation.COMMENT.wireName(), "Your comment was added."),
            Map.entry(SepOperation.SPONSOR.wireName(), "You are now the sponsor of this {proposal}."),
            Map.entry(
                    SepOperation.STEP_DOWN.wireName(),
                    "You stepped down. You are no longer the sponsor of this {proposal}."),
            Map.entry(SepOperation.ASK.wireName(), "You asked for input. The request is in the person's inbox."),
            Map.entry(SepOperation.ATTACH.wireName(), "You attached evidence."),
            Map.entry(SepOperation.HOLD.wireName(), "You put the decision on hold."),
            Map.entry(SepOperation.RELEASE.wireName(), "You resumed the decision."),
            Map.entry(SepOperation.WITHDRAW.wireName(), "You withdrew this {proposal}."),
            Map.entry(SepOperation.SUPERSEDE.wireName(), "You marked this {proposal} as superseded."),
            Map.entry(SepOperation.TRANSFER.wireName(), "You transferred authorship of this {proposal}."),
            Map.entry(SepOperation.EDIT.wireName(), "You saved the document."),
            Map.entry(SepOperation.SUBMIT.wireName(), "You submitted this {proposal}. See the next step below."));

    private SepActionSuccessMessages() {}

    /** Returns the path of the SEP's page with the confirmation of the operation that the user has completed. */
    public static String redirectPath(long number, SepOperation sepOperation, Map<String, String> typed) {
        String action = sepOperation == SepOperation.VOTE
                ? "vote-" + typed.getOrDefault("ballot", "").strip()
                : sepOperation.wireName();
        return SepActionPaths.sepPath(number)
                + (action.equals(MOVED) || MESSAGES.containsKey(action) ? "?" + PARAMETER + "=" + action : "");
    }

    /** Returns the confirmation; empty if the parameter has an unknown value. */
    public static Optional<String> message(String action, String state, ProposalTerms terms) {
        return action.equals(MOVED)
                ? Optional.of(terms.text("You moved this {proposal}. Its state is now ") + SafeText.line(state) + ".")
                : Optional.ofNullable(MESSAGES.get(action)).map(terms::text);
    }
}
