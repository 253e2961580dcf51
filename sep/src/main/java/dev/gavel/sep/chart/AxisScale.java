package dev.gavel.sep.chart;

import java.util.ArrayList;
import java.util.List;

/** Scales values on a chart axis that starts at 0, and computes the tick marks beside it. Immutable. */
record AxisScale(double top, double step) {
    private static final int MARKS = 4;

    /** Returns a scale that reaches at least to a number, in steps of 1, 2 or 5 times a power of ten. */
    static AxisScale upTo(double most) {
        double least = Math.max(most, 1) / MARKS;
        double power = Math.pow(10, Math.floor(Math.log10(least)));
        double step = power * 10;
        for (double each : new double[] {1, 2, 5}) {
            if (each * power >= least - 1e-9) {
                step = each * power;
                break;
            }
        }
        // The values count SEPs, so a step is at least one.
        step = Math.max(step, 1);
        return new AxisScale(Math.max(1, Math.ceil(most / step - 1e-9)) * step, step);
    }

    double fraction(double value) {
        return value / top;
    }

    List<Double> ticks() {
        List<Double> marks = new ArrayList<>();
        for (int i = 0; i * step <= top + 1e-9; i++) {
            marks.add(i * step);
        }
        return marks;
    }
}
