package dev.gavel.cli.review;

import dev.gavel.cli.terminal.TerminalDisplay;
import dev.gavel.cli.terminal.TerminalKey;
import dev.gavel.cli.terminal.TerminalSize;
import java.time.Instant;
import java.util.List;

/**
 * The scrolled part of a review that is on the screen, and whether the proposal was seen to its end. Not thread-safe.
 */
final class ReviewViewport {
    private final TerminalDisplay terminalDisplay;
    private final ReviewRenderer view;
    private int top;
    private int room = 1;
    private boolean fullySeen;
    private boolean tooSmall;
    private List<String> drawn = List.of();

    ReviewViewport(TerminalDisplay terminalDisplay, ReviewRenderer view) {
        this.terminalDisplay = terminalDisplay;
        this.view = view;
    }

    TerminalDisplay canvas() {
        return terminalDisplay;
    }

    /** Whether the proposal was on the screen to its end. */
    boolean isFullySeen() {
        return fullySeen;
    }

    /** Whether the window has no room for it. */
    boolean isTooSmall() {
        return tooSmall;
    }

    /** Another proposal is shown from now on. */
    void onNextProposal() {
        fullySeen = false;
    }

    /** Something else is shown: from its beginning. */
    void scrollToTop() {
        top = 0;
    }

    /** What is on the screen is not what was drawn. */
    void invalidate() {
        drawn = List.of();
    }

    void draw(ReviewMode mode, String message) {
        TerminalSize size = terminalDisplay.size();
        tooSmall = ReviewRenderer.isTooSmall(size);
        ReviewRenderer.Frame frame = view.render(size, mode, message, top, Instant.now());
        top = frame.top();
        room = frame.room();
        fullySeen |= mode instanceof ReviewMode.Reading && frame.last();
        if (!frame.lines().equals(drawn)) {
            drawn = frame.lines();
            terminalDisplay.draw(drawn);
        }
    }

    /** Scrolls, if the key is for that. */
    boolean scroll(TerminalKey key) {
        int page = Math.max(1, room - 1);
        int by = switch (key) {
            case TerminalKey.Named.UP -> -1;
            case TerminalKey.Named.DOWN -> 1;
            case TerminalKey.Named.PAGE_UP -> -page;
            case TerminalKey.Named.PAGE_DOWN -> page;
            case TerminalKey.Named.HOME -> -1_000_000;
            case TerminalKey.Named.END -> 1_000_000;
            case TerminalKey.Typed(int character) -> byLetter(character, page);
            default -> 0;
        };
        top = Math.max(0, top + by);
        return by != 0;
    }

    private static int byLetter(int letter, int page) {
        return switch (letter) {
            case ' ' -> page;
            case 'b' -> -page;
            case 'j' -> 1;
            case 'k' -> -1;
            default -> 0;
        };
    }
}
