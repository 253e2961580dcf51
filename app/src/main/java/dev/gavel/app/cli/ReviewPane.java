package dev.gavel.app.cli;

import dev.gavel.app.terminal.Canvas;
import dev.gavel.app.terminal.Key;
import dev.gavel.app.terminal.Size;
import java.time.Instant;
import java.util.List;

/** The part of a review that is on the screen, and how far down its reader has come. Not thread-safe. */
final class ReviewPane {
    private final Canvas canvas;
    private final ReviewView view;
    private int top;
    private int room = 1;
    private boolean seen;
    private boolean tooSmall;
    private List<String> drawn = List.of();

    ReviewPane(Canvas canvas, ReviewView view) {
        this.canvas = canvas;
        this.view = view;
    }

    Canvas canvas() {
        return canvas;
    }

    /** Whether the proposal was on the screen to its end. */
    boolean seen() {
        return seen;
    }

    /** Whether the window has no room for it. */
    boolean tooSmall() {
        return tooSmall;
    }

    /** Another proposal is shown from now on. */
    void another() {
        seen = false;
    }

    /** Something else is shown: from its beginning. */
    void rewind() {
        top = 0;
    }

    /** What is on the screen is not what was drawn. */
    void spoilt() {
        drawn = List.of();
    }

    void draw(ReviewMode mode, String message) {
        Size size = canvas.size();
        tooSmall = ReviewView.tooSmall(size);
        ReviewView.Frame frame = view.frame(size, mode, message, top, Instant.now());
        top = frame.top();
        room = frame.room();
        seen |= mode instanceof ReviewMode.Reading && frame.last();
        if (!frame.lines().equals(drawn)) {
            drawn = frame.lines();
            canvas.draw(drawn);
        }
    }

    /** Scrolls, if the key is for that. */
    boolean scroll(Key key) {
        int page = Math.max(1, room - 1);
        int by = switch (key) {
            case Key.Named.UP -> -1;
            case Key.Named.DOWN -> 1;
            case Key.Named.PAGE_UP -> -page;
            case Key.Named.PAGE_DOWN -> page;
            case Key.Named.HOME -> -1_000_000;
            case Key.Named.END -> 1_000_000;
            case Key.Typed(int character) -> byLetter(character, page);
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
