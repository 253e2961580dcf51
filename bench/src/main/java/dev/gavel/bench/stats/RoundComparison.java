package dev.gavel.bench.stats;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Compares two variants that a benchmark measures in alternating rounds, by the median ratio of neighbouring rounds. A
 * ratio is computed for every two neighbouring rounds, whichever variant came first, so that a machine that becomes
 * slower or faster favours neither. The median makes a single disturbed round harmless.
 */
public record RoundComparison(List<BenchmarkRoundResult> reference, List<BenchmarkRoundResult> subject) {
    public RoundComparison {
        reference = List.copyOf(reference);
        subject = List.copyOf(subject);
        if (reference.isEmpty() || reference.size() != subject.size()) {
            throw new IllegalArgumentException("both sides need the same number of rounds, and at least one");
        }
    }

    /** The subject's measure divided by the reference's, for every two neighbouring rounds. */
    public List<Double> ratios(ToDoubleFunction<BenchmarkRoundResult> measure) {
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < subject.size(); i++) {
            double here = measure.applyAsDouble(subject.get(i));
            ratios.add(here / measure.applyAsDouble(reference.get(i)));
            if (i + 1 < reference.size()) {
                ratios.add(here / measure.applyAsDouble(reference.get(i + 1)));
            }
        }
        return ratios;
    }

    public double medianRatio(ToDoubleFunction<BenchmarkRoundResult> measure) {
        return median(ratios(measure));
    }

    public double referenceMedian(ToDoubleFunction<BenchmarkRoundResult> measure) {
        return median(reference.stream().map(measure::applyAsDouble).toList());
    }

    public double subjectMedian(ToDoubleFunction<BenchmarkRoundResult> measure) {
        return median(subject.stream().map(measure::applyAsDouble).toList());
    }

    /** The middle value, or the mean of the two in the middle. */
    public static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }
}
