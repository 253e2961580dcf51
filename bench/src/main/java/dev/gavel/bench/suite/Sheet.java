package dev.gavel.bench.suite;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** Figures and plots as they come, printed at once: a run takes minutes. Confined to the thread that runs the parts. */
final class Sheet {
    static final String HEAD = """
            | what | figure | target | | of |
            |---|--:|---|---|---|""";

    private final PrintStream out;
    private final List<Figure> figures = new ArrayList<>();
    private final List<Plot> plots = new ArrayList<>();
    private String part = "";

    Sheet(PrintStream out) {
        this.out = out;
        out.println(HEAD);
    }

    /** From now on figures are of another part. */
    void part(String name) {
        part = name;
    }

    /** Adds a ratio, or another number without a unit. */
    void ratio(String what, double value, Target target, String bare) {
        figure(what, value, "", target, bare);
    }

    /** Adds a figure with a unit, which begins with a space where one belongs before it. */
    void figure(String what, double value, String unit, Target target, String bare) {
        Figure figure = new Figure(part, what, value, unit, target, bare);
        figures.add(figure);
        out.println(figure.row());
    }

    void plot(Plot plot) {
        plots.add(plot);
    }

    List<Figure> figures() {
        return List.copyOf(figures);
    }

    List<Plot> plots() {
        return List.copyOf(plots);
    }
}
