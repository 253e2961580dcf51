package dev.gavel.cli;

/** A text style of the terminal, as an ANSI code. */
public enum TerminalStyle {
    PLAIN(""),
    BOLD("1"),
    FAINT("2"),
    GOOD("32"),
    BAD("31"),
    OPEN("33"),
    CALL("36"),
    TALK("34");

    private final String code;

    TerminalStyle(String code) {
        this.code = code;
    }

    String paint(String text) {
        return code.isEmpty() ? text : "\u001b[" + code + "m" + text + "\u001b[0m";
    }
}
