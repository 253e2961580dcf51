package dev.gavel.cli.review;

import dev.gavel.cli.CommandOutput;
import dev.gavel.cli.DurationTextFormat;
import dev.gavel.cli.TerminalStyle;
import dev.gavel.cli.proposal.ArgumentDiff;
import dev.gavel.cli.proposal.ProposalApprovalSender;
import dev.gavel.cli.proposal.ProposalDetailPrinter;
import dev.gavel.cli.proposal.ProposalTextFormatter;
import dev.gavel.cli.proposal.ToolDefinitionChangeFormatter;
import dev.gavel.cli.terminal.TerminalSize;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.proposal.RejectionReason;
import dev.gavel.mcpx.text.DisplayWidth;
import dev.gavel.mcpx.text.SafeText;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Renders a review session as screen lines: heading, proposal, message and keys. Content that is too long for the
 * window scrolls. A line that is too wide continues on the next line after a mark that no other line begins with.
 */
record ReviewRenderer(CommandOutput commandOutput, ZoneId zone, ReviewQueue queue) {
    /** Longer messages are cut, so that a message does not push the proposal off the screen. */
    private static final int MAX_MESSAGE_LINES = 3;

    /** The reviewer has read the whole call before the question; the question only names it. */
    private static final int MAX_CALL_LENGTH = 200;

    private static final int MIN_WIDTH = 20;

    /** The heading, the keys, the scroll position, the message, and some lines of the proposal. */
    private static final int MIN_HEIGHT = MAX_MESSAGE_LINES + 5;

    private static final String CONTINUATION_MARK = "↳ ";

    /**
     * The lines to draw.
     *
     * @param top the first line that is shown; less than requested if the content is shorter
     * @param bodyHeight how many lines of the content are shown at once
     * @param endShown whether the end of the content is shown
     */
    record Frame(List<String> lines, int top, int bodyHeight, boolean endShown) {
        Frame {
            lines = List.copyOf(lines);
        }
    }

    /** Whether the window is too small for a proposal, a message and the keys. */
    static boolean isTooSmall(TerminalSize size) {
        return size.width() < MIN_WIDTH || size.height() < MIN_HEIGHT;
    }

    Frame render(TerminalSize size, ReviewScreenMode mode, String message, int top, Instant now) {
        if (isTooSmall(size)) {
            List<String> lines = DisplayWidth.wrap("window too small; press q to quit", Math.max(2, size.width() - 1));
            return new Frame(lines.subList(0, Math.min(lines.size(), size.height())), top, 1, false);
        }
        // A line as wide as the window would lose its last character to the escape code that clears the rest of the
        // line.
        int width = size.width() - 1;
        List<String> body = body(mode, now).stream()
                // The width of a tab depends on its column; the escape has a fixed width and differs from spaces.
                .flatMap(line -> wrap(line.replace("\t", "\\t"), width).stream())
                .toList();
        List<String> messageLines = wrap(SafeText.line(message), width).stream()
                .limit(MAX_MESSAGE_LINES)
                .map(line -> commandOutput.paint(TerminalStyle.BOLD, line))
                .toList();
        int bodyHeight = Math.max(1, size.height() - 2 - messageLines.size());
        boolean scrolled = body.size() > bodyHeight;
        bodyHeight = Math.max(1, bodyHeight - (scrolled ? 1 : 0));
        int first = Math.clamp(top, 0, Math.max(0, body.size() - bodyHeight));
        int end = Math.min(body.size(), first + bodyHeight);
        List<String> lines = new ArrayList<>();
        lines.add(DisplayWidth.truncate(commandOutput.paint(TerminalStyle.FAINT, heading(mode, now)), width));
        lines.addAll(body.subList(first, end));
        lines.addAll(Collections.nCopies(bodyHeight - (end - first), ""));
        if (scrolled) {
            String position = "lines " + (first + 1) + "-" + end + " of " + body.size()
                    + (end < body.size() ? "; press space for more" : "");
            lines.add(DisplayWidth.truncate(commandOutput.paint(TerminalStyle.OPEN, position), width));
        }
        lines.addAll(messageLines);
        lines.add(DisplayWidth.truncate(keys(mode, width), width));
        return new Frame(
                lines.subList(0, Math.min(lines.size(), size.height())), first, bodyHeight, end == body.size());
    }

    private static List<String> wrap(String line, int width) {
        List<String> pieces = new ArrayList<>(DisplayWidth.wrap(line, width - CONTINUATION_MARK.length()));
        if (pieces.size() > 1 && DisplayWidth.of(line) <= width && !line.contains("\\n")) {
            return List.of(line);
        }
        for (int piece = 1; piece < pieces.size(); piece++) {
            pieces.set(piece, CONTINUATION_MARK + pieces.get(piece));
        }
        return pieces;
    }

    private String heading(ReviewScreenMode mode, Instant now) {
        String counts = SafeText.line(queue.topic()) + ": " + queue.waitingCount() + " to decide"
                + (queue.skippedCount() > 0 ? ", " + queue.skippedCount() + " skipped" : "");
        Optional<Json> current = mode instanceof ReviewScreenMode.Idle ? Optional.empty() : queue.current();
        return counts + current.map(proposal -> age(proposal, now)).orElse("");
    }

    private static String age(Json proposal, Instant now) {
        String ageText = ProposalTextFormatter.proposedAt(proposal)
                .map(at -> "; proposed " + DurationTextFormat.format(Duration.between(at, now)) + " ago")
                .orElse("");
        return ageText
                + ProposalTextFormatter.closesAt(proposal)
                        .filter(now::isBefore)
                        .map(at -> (proposal.at("callerDisconnected").isPresent() ? ", withdrawn in " : ", expires in ")
                                + DurationTextFormat.format(Duration.between(now, at)))
                        .orElse("");
    }

    private List<String> body(ReviewScreenMode mode, Instant now) {
        return switch (mode) {
            case ReviewScreenMode.Idle() -> idleLines();
            case ReviewScreenMode.ReadingProposal(boolean metadataShown) -> proposalLines(now, metadataShown);
            case ReviewScreenMode.ConfirmingApproval confirming -> confirmationLines(confirming);
            case ReviewScreenMode.ShowingHelp() -> HELP.lines().toList();
            case ReviewScreenMode.DecidedElsewhere(String status, String unsentText) ->
                decidedElsewhereLines(status, unsentText);
            case ReviewScreenMode.ConfirmingEdit(Json params) -> editLines(params);
            case ReviewScreenMode.InvalidEdit(String text, String problem) -> invalidEditLines(text, problem);
            case ReviewScreenMode.AskingQuestion askingQuestion -> promptLines(askingQuestion);
        };
    }

    private List<String> decidedElsewhereLines(String status, String unsentText) {
        List<String> lines = new ArrayList<>(List.of(
                commandOutput.paint(
                        TerminalStyle.BOLD,
                        queue.current().map(ProposalTextFormatter::id).orElse("")),
                "",
                "You can no longer decide this proposal: " + status));
        if (!unsentText.isEmpty()) {
            lines.addAll(List.of("", "Your text was not sent:"));
            SafeText.lines(unsentText).lines().forEach(line -> lines.add("  " + line));
        }
        return lines;
    }

    private List<String> idleLines() {
        List<String> lines = new ArrayList<>(List.of(
                queue.waitingCount() > queue.skippedCount()
                        ? "The next proposal cannot be loaded; retrying."
                        : "No proposals to decide. Waiting for new ones."));
        if (queue.skippedCount() > 0) {
            lines.add(queue.skippedCount() + " skipped: press s to review them again.");
        }
        if (queue.forOthersCount() > 0) {
            lines.add(queue.forOthersCount() + " that you cannot decide: see 'gavel proposals "
                    + SafeText.line(queue.topic()) + " --state open'.");
        }
        return lines;
    }

    private List<String> confirmationLines(ReviewScreenMode.ConfirmingApproval confirming) {
        Json proposal = queue.current().orElseThrow();
        ProposalApprovalSender approvalSender = new ProposalApprovalSender(queue.topic(), proposal);
        List<String> runners = approvalSender.possibleRunners();
        List<String> lines = new ArrayList<>(List.of(
                commandOutput.paint(TerminalStyle.BOLD, ProposalTextFormatter.id(proposal)),
                "",
                "Run " + SafeText.excerpt(approvalSender.describeCall(confirming.params()), MAX_CALL_LENGTH)
                        + (runners.size() == 1 ? " on " + SafeText.line(runners.getFirst()) : "") + "?",
                ""));
        if (!confirming.params().equals(approvalSender.params())) {
            lines.add(
                    confirming.unchecked()
                            ? "You edited the arguments, and they will not be checked."
                            : "You edited the arguments.");
        }
        if (!confirming.fullySeen()) {
            lines.add(commandOutput.paint(TerminalStyle.BAD, "You have not seen the whole proposal."));
        }
        lines.add(commandOutput.paint(
                ProposalTextFormatter.isCareful(confirming.assessed()) ? TerminalStyle.BAD : TerminalStyle.PLAIN,
                ProposalTextFormatter.effect(confirming.assessed())));
        ProposalTextFormatter.warnings(confirming.assessed())
                .forEach(warning -> lines.add(commandOutput.paint(TerminalStyle.BAD, "Check: " + warning)));
        lines.addAll(definitionLines(proposal));
        return lines;
    }

    /** What changed in the definition of the tool. */
    private List<String> definitionLines(Json proposal) {
        return new ToolDefinitionChangeFormatter(proposal.at("tools"))
                .changes().stream()
                        .flatMap(String::lines)
                        .map(line -> commandOutput.paint(TerminalStyle.BAD, line))
                        .toList();
    }

    private List<String> proposalLines(Instant now, boolean metadataShown) {
        StringWriter text = new StringWriter();
        PrintWriter writer = new PrintWriter(text);
        new ProposalDetailPrinter(
                        commandOutput.withWriter(writer),
                        zone,
                        now,
                        queue.topic(),
                        queue.current().orElseThrow(),
                        metadataShown
                                ? ProposalDetailPrinter.MetadataDisplay.FULL
                                : ProposalDetailPrinter.MetadataDisplay.HINT_AT_KEY)
                .printForReview();
        return text.toString().lines().toList();
    }

    private List<String> editLines(Json params) {
        List<String> lines = new ArrayList<>(List.of(
                commandOutput.paint(
                                TerminalStyle.BOLD,
                                queue.current().map(ProposalTextFormatter::id).orElse("")) + "  your changes",
                ""));
        ProposalApprovalSender approvalSender =
                new ProposalApprovalSender(queue.topic(), queue.current().orElseThrow());
        new ArgumentDiff(approvalSender.params(), params)
                .lines()
                .forEach(line -> lines.add(commandOutput.paint(line.style(), line.text())));
        return lines;
    }

    private List<String> invalidEditLines(String text, String problem) {
        List<String> lines = new ArrayList<>(List.of(commandOutput.paint(TerminalStyle.BAD, problem), ""));
        int number = 0;
        for (String line : text.lines().toList()) {
            lines.add(String.format(Locale.ROOT, "%4d  ", ++number) + SafeText.line(line));
        }
        return lines;
    }

    private List<String> promptLines(ReviewScreenMode.AskingQuestion askingQuestion) {
        List<String> lines = new ArrayList<>(askingQuestion.introLines());
        lines.add("");
        lines.add(prompt(askingQuestion.question())
                + commandOutput.paint(
                        TerminalStyle.BOLD, SafeText.line(askingQuestion.line().text())) + "_");
        return lines;
    }

    private static String prompt(ReviewScreenMode.Question question) {
        return switch (question) {
            case ReviewScreenMode.Question.Runner _ -> "run on: ";
            case ReviewScreenMode.Question.Reason() -> "reason: ";
            case ReviewScreenMode.Question.Note(String reason) ->
                "reject with reason '" + SafeText.line(reason) + "'; note to the proposer (Enter for none): ";
        };
    }

    private String keys(ReviewScreenMode mode, int width) {
        return switch (mode) {
            case ReviewScreenMode.Idle() ->
                keys(
                        width,
                        queue.skippedCount() > 0
                                ? List.of("s review skipped", "? help", "q quit")
                                : List.of("? help", "q quit"));
            case ReviewScreenMode.ReadingProposal _ ->
                keys(width, List.of("a approve", "e edit", "r reject", "s skip", "c considering", "? help", "q quit"));
            case ReviewScreenMode.ConfirmingApproval _ -> keys(width, List.of("y approve", "n go back"));
            case ReviewScreenMode.ShowingHelp() -> "press any key to go back";
            case ReviewScreenMode.DecidedElsewhere _ -> "press Enter to continue";
            case ReviewScreenMode.ConfirmingEdit _ ->
                keys(width, List.of("a approve", "e edit again", "n discard the edit", "u approve without the check"));
            case ReviewScreenMode.InvalidEdit _ -> keys(width, List.of("e edit again", "n discard the edit"));
            case ReviewScreenMode.AskingQuestion _ -> keys(width, List.of("Enter continue", "Esc go back"));
        };
    }

    /** Returns the keys with their labels, or the keys alone if the line is too narrow. */
    private String keys(int width, List<String> keys) {
        String all = keys.stream()
                .map(key -> commandOutput.paint(TerminalStyle.BOLD, key.substring(0, key.indexOf(' ')))
                        + key.substring(key.indexOf(' ')))
                .collect(Collectors.joining("   "));
        return DisplayWidth.of(all) <= width
                ? all
                : keys.stream().map(key -> key.substring(0, key.indexOf(' '))).collect(Collectors.joining(" "))
                        + "  (? for help)";
    }

    /** The rejection reasons as a numbered list to choose from. */
    static List<String> rejectionReasonLines() {
        List<String> lines = new ArrayList<>(List.of("Why do you reject it? Type a number or your own reason:"));
        int number = 0;
        for (RejectionReason reason : RejectionReason.values()) {
            lines.add(String.format(Locale.ROOT, "  %d  %-15s %s", ++number, reason.wireName(), reason.meaning()));
        }
        return lines;
    }

    /** Returns the choice with the typed number; any other text is returned unchanged. */
    static String resolveChoice(String line, List<String> choices) {
        if (line.matches("\\d{1,3}")) {
            int number = Integer.parseInt(line);
            if (number >= 1 && number <= choices.size()) {
                return choices.get(number - 1);
            }
        }
        return line;
    }

    private static final String HELP = """
            a   approve: the call runs exactly as shown. If the tool can delete or overwrite
                data, if its effect is unknown, if there are warnings, or if you have not
                seen the whole proposal, the screen asks first: press y to approve it
            e   edit the arguments in your editor (VISUAL, EDITOR, or vi); you see your
                changes, and press a to approve the edited call
            u   after an edit: approve the call without checking the edited arguments
            d   approve the call for the current definition of its tool, if the definition
                changed after the call was proposed
            r   reject, with a reason and an optional note to the proposer
            s   skip: leave the proposal open and show the next one
            m   show or hide the metadata that the client added to the call
            c   tell the proposer that you are considering the proposal
            q   quit; undecided proposals stay open (Ctrl-C does the same)

            space, Page Down, b, Page Up, arrows, Home, End   scroll a long proposal

            If another reviewer decides the proposal on the screen, or if it expires or is
            withdrawn, the screen shows that. New proposals appear automatically. Characters
            that a terminal would hide or interpret are shown as escapes such as \\u202e.
            """;
}
