package dev.gavel.web.console.sep;

import dev.gavel.lifecycle.process.ProposalTerms;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.sep.service.SepOperation;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Builds the console's URL paths and button labels for actions on a SEP, and finds the action that a path segment
 * names. Stateless.
 */
public final class SepActionPaths {
    /** The operations that have a form; the document has an editor instead. */
    private static final List<SepOperation> FORMS = List.of(
            SepOperation.MOVE,
            SepOperation.COMMENT,
            SepOperation.VOTE,
            SepOperation.CONFIRM,
            SepOperation.SPONSOR,
            SepOperation.STEP_DOWN,
            SepOperation.ASK,
            SepOperation.ATTACH,
            SepOperation.HOLD,
            SepOperation.RELEASE,
            SepOperation.WITHDRAW,
            SepOperation.SUPERSEDE,
            SepOperation.TRANSFER);

    private SepActionPaths() {}

    /** Returns the operation that a path segment names, if it has a form. */
    public static Optional<SepOperation> parse(String word) {
        return Arrays.stream(SepOperation.values())
                .filter(sepOperation -> sepOperation.wireName().equals(word) && FORMS.contains(sepOperation))
                .findFirst();
    }

    public static String sepPath(long number) {
        return "/console/seps/" + number;
    }

    /** Returns the path of the form for an operation, or of the editor for {@code EDIT}. */
    public static String actionPath(long number, SepOperation sepOperation) {
        return sepOperation == SepOperation.EDIT
                ? sepPath(number) + "/edit"
                : sepPath(number) + "/act/" + sepOperation.wireName();
    }

    /** Returns the path of the form that moves a SEP to a state. */
    public static String movePath(long number, String to) {
        return actionPath(number, SepOperation.MOVE) + "?to=" + URLEncoder.encode(to, StandardCharsets.UTF_8);
    }

    /**
     * Returns the path of a form with the hash of the document that the page shows, so that the operation is refused if
     * the document has changed by then.
     *
     * @param path the path of the form
     * @param hash empty if it is not known
     */
    public static String withDocument(String path, SepOperation sepOperation, String hash) {
        return hash.isEmpty() || !refersToDocument(sepOperation)
                ? path
                : path + (path.contains("?") ? "&" : "?") + "document="
                        + URLEncoder.encode(hash, StandardCharsets.UTF_8);
    }

    /** Whether an operation judges the document, so that it is bound to the version that the reader has seen. */
    public static boolean refersToDocument(SepOperation sepOperation) {
        return sepOperation.params().stream()
                .anyMatch(sepParameter -> sepParameter.equals(SepOperation.documentHash()));
    }

    /** Returns the label of the button for an operation. */
    public static String label(SepOperation sepOperation, String to, ProposalTerms terms) {
        return switch (sepOperation) {
            case MOVE -> "Move to " + SafeText.line(to);
            case COMMENT -> "Comment";
            case VOTE -> "Vote";
            case CONFIRM -> "Confirm evidence";
            case SPONSOR -> "Sponsor this " + terms.name();
            case STEP_DOWN -> "Step down as sponsor";
            case ASK -> "Ask for input";
            case ATTACH -> "Attach evidence";
            case HOLD -> "Put the decision on hold";
            case RELEASE -> "Resume the decision";
            case WITHDRAW -> "Withdraw this " + terms.name();
            case SUPERSEDE -> "Mark as superseded";
            case TRANSFER -> "Transfer authorship";
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
                    DIFF,
                    EXPORT,
                    LINT -> sepOperation.wireName();
        };
    }
}
