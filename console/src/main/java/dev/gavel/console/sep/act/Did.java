package dev.gavel.console.sep.act;

import dev.gavel.mcpx.text.SafeText;
import dev.gavel.sep.desk.Verb;
import java.util.Map;
import java.util.Optional;

/** What somebody has just done, told to them on the SEP's page: an address only says which of these words. Stateless. */
public final class Did {
    /** By what a page is asked to tell it. */
    public static final String NAME = "did";

    private static final String MOVED = Verb.MOVE.word();

    private static final Map<String, String> WORDS = Map.ofEntries(
            Map.entry("vote-yes", "You voted yes."),
            Map.entry("vote-no", "You voted no."),
            Map.entry("vote-abstain", "You abstained."),
            Map.entry("vote-concern", "You raised a concern."),
            Map.entry(Verb.COMMENT.word(), "Your comment is there."),
            Map.entry(Verb.SPONSOR.word(), "You are its sponsor now."),
            Map.entry(Verb.STEP_DOWN.word(), "You stepped down: you are its sponsor no longer."),
            Map.entry(Verb.ASK.word(), "You asked them: they find it in their inbox."),
            Map.entry(Verb.ATTACH.word(), "You attached evidence."),
            Map.entry(Verb.HOLD.word(), "You put the decision on hold."),
            Map.entry(Verb.RELEASE.word(), "You took the decision up again."),
            Map.entry(Verb.WITHDRAW.word(), "You withdrew it."),
            Map.entry(Verb.SUPERSEDE.word(), "You had it superseded."),
            Map.entry(Verb.TRANSFER.word(), "You handed it on."),
            Map.entry(Verb.EDIT.word(), "You saved the document."),
            Map.entry(Verb.SUBMIT.word(), "You submitted it. What happens next is said below."));

    private Did() {}

    /** Where somebody is told that they have done it. */
    public static String after(long number, Verb verb, Map<String, String> typed) {
        String which =
                verb == Verb.VOTE ? "vote-" + typed.getOrDefault("ballot", "").strip() : verb.word();
        return Acts.page(number) + (which.equals(MOVED) || WORDS.containsKey(which) ? "?" + NAME + "=" + which : "");
    }

    /** What is told; nothing of what is none of these. */
    public static Optional<String> words(String which, String state) {
        return which.equals(MOVED)
                ? Optional.of("You moved it. It is " + SafeText.line(state) + " now.")
                : Optional.ofNullable(WORDS.get(which));
    }
}
