package dev.gavel.faults.cluster;

import java.util.List;

/**
 * The result of one run of a {@link ClusterTest}.
 *
 * @param figures a summary of the run, for people
 * @param violations the violated guarantees, for people; empty if all hold
 */
public record ClusterTestResult(String figures, List<String> violations) {
    public ClusterTestResult {
        violations = List.copyOf(violations);
    }
}
