package dev.gavel.sep.lint;

import dev.gavel.sep.document.Document;
import dev.gavel.sep.document.Spot;
import dev.gavel.sep.document.Title;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Collects what is found in a document. Not thread-safe. */
final class Findings {
    private static final int MOST = 1_000;
    private static final int LONGEST = 60;

    private final String file;
    private final Document document;
    private final List<Finding> found = new ArrayList<>();

    Findings(String file, Document document) {
        this.file = file;
        this.document = document;
    }

    void add(Code code, Spot spot, String message, String help) {
        add(code, code.severity(), spot, message, help);
    }

    void add(Code code, Severity severity, Spot spot, String message, String help) {
        if (found.size() < MOST) {
            found.add(new Finding(file, spot.line(), spot.column(), severity, code, message, help));
        }
    }

    /** In the order of the document. */
    List<Finding> list() {
        return found.stream()
                .sorted(Comparator.comparingInt(Finding::line).thenComparingInt(Finding::column))
                .toList();
    }

    Spot top() {
        return new Spot(0, 0, 1, 1);
    }

    /** Where somebody would look who is told of something that is not there. */
    Spot titleOrTop() {
        return document.title().map(Title::spot).orElseGet(this::top);
    }

    /** The beginning of the preamble, where there is one. */
    Spot preamble() {
        return document.fields().isEmpty()
                ? titleOrTop()
                : document.fields().getFirst().spot();
    }

    /** Other people's words within a sentence. */
    static String quoted(String words) {
        String line = words.replaceAll("\\s+", " ").strip();
        return "'" + (line.length() > LONGEST ? line.substring(0, LONGEST) + "…" : line) + "'";
    }
}
