package dev.gavel.console.sep.act;

import dev.gavel.mcpx.text.SafeText;
import dev.gavel.sep.desk.Verb;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** What can be done with a SEP by a form, what it is called, and where. Stateless. */
public final class Acts {
    /** Those that have a form of their own; documents have an editor. */
    private static final List<Verb> FORMS = List.of(
            Verb.MOVE,
            Verb.COMMENT,
            Verb.VOTE,
            Verb.SPONSOR,
            Verb.STEP_DOWN,
            Verb.ASK,
            Verb.ATTACH,
            Verb.HOLD,
            Verb.RELEASE,
            Verb.WITHDRAW,
            Verb.SUPERSEDE,
            Verb.TRANSFER);

    private Acts() {}

    /** What a word in a path stands for. */
    public static Optional<Verb> verb(String word) {
        return Arrays.stream(Verb.values())
                .filter(verb -> verb.word().equals(word) && FORMS.contains(verb))
                .findFirst();
    }

    /** Where a SEP is. */
    public static String page(long number) {
        return "/console/seps/" + number;
    }

    /** Where something is done with it. */
    public static String path(long number, Verb verb) {
        return verb == Verb.EDIT ? page(number) + "/edit" : page(number) + "/act/" + verb.word();
    }

    /** Where it is moved. */
    static String move(long number, String to) {
        return path(number, Verb.MOVE) + "?to=" + URLEncoder.encode(to, StandardCharsets.UTF_8);
    }

    /** What is done, as a button says it. */
    static String name(Verb verb, String to) {
        return switch (verb) {
            case MOVE -> "Move to " + SafeText.line(to);
            case COMMENT -> "Comment";
            case VOTE -> "Vote";
            case SPONSOR -> "Sponsor it";
            case STEP_DOWN -> "Step down";
            case ASK -> "Ask somebody";
            case ATTACH -> "Attach evidence";
            case HOLD -> "Put on hold";
            case RELEASE -> "Take up again";
            case WITHDRAW -> "Withdraw it";
            case SUPERSEDE -> "Have it superseded";
            case TRANSFER -> "Hand it on";
            case EDIT -> "Edit the document";
            case SUBMIT,
                    LIST,
                    SHOW,
                    NEXT,
                    EXPLAIN,
                    INBOX,
                    TRIAGE,
                    MAINTAINERS,
                    SIMILAR,
                    HISTORY,
                    STATS,
                    SWEEP,
                    IMPORT,
                    EXPORT,
                    LINT -> verb.word();
        };
    }
}
