package dev.gavel.web.console.sep;

/** A tab in the navigation that every SEP page shows: board, triage, sponsors or statistics. */
public enum SepNavigationTab {
    BOARD("Board", ""),
    TRIAGE("Triage", "/triage"),
    SPONSORS("Sponsors", "/sponsors"),
    STATISTICS("Statistics", "/stats");

    private final String label;
    private final String suffix;

    SepNavigationTab(String labelText, String pathSuffix) {
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
