package dev.gavel.app.cli;

import dev.gavel.app.terminal.Columns;
import dev.gavel.app.terminal.Size;
import dev.gavel.mcpx.draft.RejectionReason;
import dev.gavel.mcpx.json.Json;
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
 * How a review looks: a line on what there is to do, what is being decided, a line of news, a line of keys. What is too
 * long for the window is scrolled; what is too long for a line goes on below, after a mark that nothing else begins
 * with.
 */
record ReviewView(Screen screen, ZoneId zone, ReviewDesk desk) {
    /** What is more than this of a message is left out: it must not push away what it is about. */
    private static final int MOST_NEWS = 3;

    private static final int NARROWEST = 20;

    /** The heading, the keys, a line on how far one has read, the news, and some of what it is about. */
    private static final int LOWEST = MOST_NEWS + 5;

    private static final String CONTINUED = "↳ ";

    /**
     * What is to be drawn.
     *
     * @param top the first line that is shown, which may be less far down than was asked for
     * @param room how many lines of what is being decided are shown at once
     * @param last whether the end is shown
     */
    record Frame(List<String> lines, int top, int room, boolean last) {
        Frame {
            lines = List.copyOf(lines);
        }
    }

    /** Whether there is no room for a proposal, what is to be said about it, and the keys. */
    static boolean tooSmall(Size size) {
        return size.width() < NARROWEST || size.height() < LOWEST;
    }

    Frame frame(Size size, ReviewMode mode, String message, int top, Instant now) {
        if (tooSmall(size)) {
            List<String> lines = Columns.wrapped("window too small; q quits", Math.max(2, size.width() - 1));
            return new Frame(lines.subList(0, Math.min(lines.size(), size.height())), top, 1, false);
        }
        // A line as wide as the window would lose its last character to what clears the rest of it.
        int width = size.width() - 1;
        List<String> body = body(mode, now).stream()
                // How far a tab goes depends on where it stands; this way it also differs from spaces.
                .flatMap(line -> wrapped(line.replace("\t", "\\t"), width).stream())
                .toList();
        List<String> news = wrapped(SafeText.line(message), width).stream()
                .limit(MOST_NEWS)
                .map(line -> screen.paint(Style.BOLD, line))
                .toList();
        int room = Math.max(1, size.height() - 2 - news.size());
        boolean scrolled = body.size() > room;
        room = Math.max(1, room - (scrolled ? 1 : 0));
        int first = Math.clamp(top, 0, Math.max(0, body.size() - room));
        int end = Math.min(body.size(), first + room);
        List<String> lines = new ArrayList<>();
        lines.add(Columns.cut(screen.paint(Style.FAINT, heading(mode, now)), width));
        lines.addAll(body.subList(first, end));
        lines.addAll(Collections.nCopies(room - (end - first), ""));
        if (scrolled) {
            String place = "lines " + (first + 1) + "-" + end + " of " + body.size()
                    + (end < body.size() ? "; space shows more" : "");
            lines.add(Columns.cut(screen.paint(Style.OPEN, place), width));
        }
        lines.addAll(news);
        lines.add(Columns.cut(keys(mode, width), width));
        return new Frame(lines.subList(0, Math.min(lines.size(), size.height())), first, room, end == body.size());
    }

    private static List<String> wrapped(String line, int width) {
        List<String> pieces = new ArrayList<>(Columns.wrapped(line, width - CONTINUED.length()));
        if (pieces.size() > 1 && Columns.of(line) <= width && !line.contains("\\n")) {
            return List.of(line);
        }
        for (int piece = 1; piece < pieces.size(); piece++) {
            pieces.set(piece, CONTINUED + pieces.get(piece));
        }
        return pieces;
    }

    private String heading(ReviewMode mode, Instant now) {
        String counts = SafeText.line(desk.topic()) + ": " + desk.waiting() + " to decide"
                + (desk.skipped() > 0 ? ", " + desk.skipped() + " of them skipped" : "");
        Optional<Json> current = mode instanceof ReviewMode.Idle ? Optional.empty() : desk.current();
        return counts + current.map(proposal -> age(proposal, now)).orElse("");
    }

    private static String age(Json proposal, Instant now) {
        String proposed = ProposalText.proposedAt(proposal)
                .map(at -> "; proposed " + Durations.brief(Duration.between(at, now)) + " ago")
                .orElse("");
        return proposed
                + ProposalText.time(proposal.at("expiresAt"))
                        .filter(now::isBefore)
                        .map(at -> ", expires in " + Durations.brief(Duration.between(now, at)))
                        .orElse("");
    }

    private List<String> body(ReviewMode mode, Instant now) {
        return switch (mode) {
            case ReviewMode.Idle() -> idle();
            case ReviewMode.Reading _ -> page(now);
            case ReviewMode.Helping() -> HELP.lines().toList();
            case ReviewMode.Overtaken(String how) ->
                List.of(
                        screen.paint(
                                Style.BOLD, desk.current().map(ProposalText::id).orElse("")),
                        "",
                        "Nothing is left to decide about this one: " + how);
            case ReviewMode.Confirming(Json params) -> difference(params);
            case ReviewMode.Mending(String text, String trouble) -> mending(text, trouble);
            case ReviewMode.Asking asking -> asking(asking);
        };
    }

    private List<String> idle() {
        List<String> lines = new ArrayList<>(List.of(
                desk.waiting() > desk.skipped()
                        ? "The next one cannot be read now; that is tried again."
                        : "Nothing to decide now; waiting for what comes."));
        if (desk.skipped() > 0) {
            lines.add(desk.skipped() + " skipped: s goes through them again.");
        }
        if (desk.foreign() > 0) {
            lines.add(desk.foreign() + " open here for others to decide: see 'gavel proposals "
                    + SafeText.line(desk.topic()) + " --state open'.");
        }
        return lines;
    }

    private List<String> page(Instant now) {
        StringWriter text = new StringWriter();
        PrintWriter writer = new PrintWriter(text);
        new ProposalPage(
                        screen.onto(writer),
                        zone,
                        now,
                        desk.topic(),
                        desk.current().orElseThrow())
                .printForReview();
        return text.toString().lines().toList();
    }

    private List<String> difference(Json params) {
        List<String> lines = new ArrayList<>(List.of(
                screen.paint(Style.BOLD, desk.current().map(ProposalText::id).orElse("")) + "  your changes", ""));
        Approval approval = new Approval(desk.topic(), desk.current().orElseThrow());
        new Difference(approval.params(), params)
                .lines()
                .forEach(line -> lines.add(screen.paint(line.style(), line.text())));
        return lines;
    }

    private List<String> mending(String text, String trouble) {
        List<String> lines = new ArrayList<>(List.of(screen.paint(Style.BAD, trouble), ""));
        int number = 0;
        for (String line : text.lines().toList()) {
            lines.add(String.format(Locale.ROOT, "%4d  ", ++number) + SafeText.line(line));
        }
        return lines;
    }

    private List<String> asking(ReviewMode.Asking asking) {
        List<String> lines = new ArrayList<>(asking.above());
        lines.add("");
        lines.add(prompt(asking.question())
                + screen.paint(Style.BOLD, SafeText.line(asking.line().text())) + "_");
        return lines;
    }

    private static String prompt(ReviewMode.Question question) {
        return switch (question) {
            case ReviewMode.Question.Runner _ -> "who runs it: ";
            case ReviewMode.Question.Reason() -> "reason: ";
            case ReviewMode.Question.Note(String reason) ->
                "rejected for '" + SafeText.line(reason) + "'; a note for whoever proposed it (Enter for none): ";
        };
    }

    private String keys(ReviewMode mode, int width) {
        return switch (mode) {
            case ReviewMode.Idle() ->
                keys(
                        width,
                        desk.skipped() > 0 ? List.of("s skipped", "? help", "q quit") : List.of("? help", "q quit"));
            case ReviewMode.Reading _ ->
                keys(width, List.of("a approve", "e edit", "r reject", "s skip", "c considering", "? help", "q quit"));
            case ReviewMode.Helping() -> "any key goes back";
            case ReviewMode.Overtaken _ -> "any key goes on";
            case ReviewMode.Confirming _ -> keys(width, List.of("y approve so", "e edit again", "n drop the edit"));
            case ReviewMode.Mending _ -> keys(width, List.of("e edit again", "n drop the edit"));
            case ReviewMode.Asking _ -> keys(width, List.of("Enter goes on", "Esc goes back"));
        };
    }

    /** Where there is no room for words, the keys alone. */
    private String keys(int width, List<String> keys) {
        String all = keys.stream()
                .map(key ->
                        screen.paint(Style.BOLD, key.substring(0, key.indexOf(' '))) + key.substring(key.indexOf(' ')))
                .collect(Collectors.joining("   "));
        return Columns.of(all) <= width
                ? all
                : keys.stream().map(key -> key.substring(0, key.indexOf(' '))).collect(Collectors.joining(" "))
                        + "  (? explains)";
    }

    /** Why somebody might reject, numbered, to choose from. */
    static List<String> reasons() {
        List<String> lines = new ArrayList<>(List.of("Why? A number, or words of your own:"));
        int number = 0;
        for (RejectionReason reason : RejectionReason.values()) {
            lines.add(String.format(Locale.ROOT, "  %d  %-15s %s", ++number, reason.word(), reason.meaning()));
        }
        return lines;
    }

    /** What was chosen of a numbered list; anything else is meant as it is. */
    static String chosen(String line, List<String> choices) {
        if (line.matches("\\d{1,3}")) {
            int number = Integer.parseInt(line);
            if (number >= 1 && number <= choices.size()) {
                return choices.get(number - 1);
            }
        }
        return line;
    }

    private static final String HELP = """
            a   approve: the call is made exactly as it stands here
            e   edit the arguments in your editor (VISUAL, EDITOR, else vi); what you changed
                is shown before anything is sent
            r   reject, with a reason and a note for whoever proposed it
            s   skip: leave it open and go on; skipped ones can be taken up again
            c   tell whoever proposed it that you are considering it
            q   quit; what you did not decide stays open (Ctrl-C does the same)

            space, Page Down, b, Page Up, arrows, Home, End   read all of a long proposal

            What somebody else decides, withdraws or lets expire while you look at it says so
            and goes. New proposals come by themselves. Characters that a terminal would hide
            or obey are shown as escapes such as \\u202e.
            """;
}
