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

    /** Whether the end of the proposal has been on the screen. */
    boolean isFullySeen() {
        return fullySeen;
    }

    /** Whether the window is too small to show a proposal. */
    boolean isTooSmall() {
        return tooSmall;
    }

    /** Starts a new proposal, of which nothing has been seen. */
    void onNextProposal() {
        fullySeen = false;
    }

    /** Scrolls to the first line. */
    void scrollToTop() {
        top = 0;
    }

    /** Forces the next draw, because the screen no longer shows what was drawn. */
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

    /** Scrolls if the key is a scroll key; returns whether it is. */
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
