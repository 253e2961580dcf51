package dev.gavel.console.sep;

/** The pages about all SEPs, which every page about SEPs leads to. */
public enum Tab {
    BOARD("Board", ""),
    TRIAGE("Triage", "/triage"),
    SPONSORS("Sponsors", "/sponsors"),
    STATISTICS("Statistics", "/stats");

    private final String words;
    private final String end;

    Tab(String words, String end) {
        this.words = words;
        this.end = end;
    }

    public String words() {
        return words;
    }

    public String path() {
        return SepPages.PATH + end;
    }
}
