package dev.gavel.cli.review;

import dev.gavel.cli.terminal.TerminalDisplay;
import dev.gavel.cli.terminal.TerminalKey;
import dev.gavel.cli.terminal.TerminalSize;
import java.time.Instant;
import java.util.List;

/** Scrolls a long proposal on the review screen, and tracks whether the reviewer has seen its end. Not thread-safe. */
final class ReviewViewport {
    private final TerminalDisplay terminalDisplay;
    private final ReviewRenderer renderer;
    private int top;
    private int bodyHeight = 1;
    private boolean fullySeen;
    private boolean tooSmall;
    private List<String> drawnLines = List.of();

    ReviewViewport(TerminalDisplay terminalDisplay, ReviewRenderer renderer) {
        this.terminalDisplay = terminalDisplay;
        this.renderer = renderer;
    }

    TerminalDisplay display() {
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
        drawnLines = List.of();
    }

    void draw(ReviewScreenMode mode, String message) {
        TerminalSize size = terminalDisplay.size();
        tooSmall = ReviewRenderer.isTooSmall(size);
        ReviewRenderer.Frame frame = renderer.render(size, mode, message, top, Instant.now());
        top = frame.top();
        bodyHeight = frame.bodyHeight();
        fullySeen |= mode instanceof ReviewScreenMode.ReadingProposal && frame.endShown();
        if (!frame.lines().equals(drawnLines)) {
            drawnLines = frame.lines();
            terminalDisplay.draw(drawnLines);
        }
    }

    /** Scrolls if the key is a scroll key; returns whether it is. */
    boolean scroll(TerminalKey key) {
        int page = Math.max(1, bodyHeight - 1);
        int delta = switch (key) {
            case TerminalKey.Named.UP -> -1;
            case TerminalKey.Named.DOWN -> 1;
            case TerminalKey.Named.PAGE_UP -> -page;
            case TerminalKey.Named.PAGE_DOWN -> page;
            case TerminalKey.Named.HOME -> -1_000_000;
            case TerminalKey.Named.END -> 1_000_000;
            case TerminalKey.Typed(int character) -> deltaForLetter(character, page);
            default -> 0;
        };
        top = Math.max(0, top + delta);
        return delta != 0;
    }

    private static int deltaForLetter(int letter, int page) {
        return switch (letter) {
            case ' ' -> page;
            case 'b' -> -page;
            case 'j' -> 1;
            case 'k' -> -1;
            default -> 0;
        };
    }
}
