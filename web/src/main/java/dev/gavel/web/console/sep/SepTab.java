package dev.gavel.web.console.sep;

/** The tabs that every SEP page links to: board, triage, sponsors and statistics. */
public enum SepTab {
    BOARD("Board", ""),
    TRIAGE("Triage", "/triage"),
    SPONSORS("Sponsors", "/sponsors"),
    STATISTICS("Statistics", "/stats");

    private final String label;
    private final String suffix;

    SepTab(String labelText, String pathSuffix) {
        this.label = labelText;
        this.suffix = pathSuffix;
    }

    public String label() {
        return label;
    }

    public String path() {
        return SepPageRenderer.PATH + suffix;
    }
}
