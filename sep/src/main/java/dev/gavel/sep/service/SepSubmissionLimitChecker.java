package dev.gavel.sep.service;

import dev.gavel.ledger.SubjectSummary;
import dev.gavel.ledger.writer.WriterTaskContext;
import dev.gavel.lifecycle.process.ProposalTerms;
import dev.gavel.lifecycle.result.LifecycleRefusal;
import dev.gavel.sep.service.SepLimits.SubmissionLimit;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Checks whether an identity without a role has submitted too many SEPs. Stateless. */
final class SepSubmissionLimitChecker {
    static final String CODE = "ask-limit";

    private static final Duration WINDOW = Duration.ofHours(1);

    private SepSubmissionLimitChecker() {}

    /** Returns why the identity cannot submit another SEP now; empty if it can. */
    static Optional<LifecycleRefusal> check(
            WriterTaskContext context, String identity, SubmissionLimit limit, ProposalTerms terms) {
        if (limit.open() < Integer.MAX_VALUE
                && context.latestSubjects(identity, true, limit.open()).size() >= limit.open()) {
            return Optional.of(LifecycleRefusal.of(
                    CODE,
                    limit.open() + " " + terms.plural()
                            + " that you submitted are open, which is the limit. Wait for decisions, or withdraw "
                            + terms.plural() + " that you no longer need."));
        }
        if (limit.hour() < Integer.MAX_VALUE) {
            List<SubjectSummary> latest = context.latestSubjects(identity, false, limit.hour());
            Duration wait = latest.size() < limit.hour()
                    ? Duration.ZERO
                    : Duration.between(
                            context.now(), latest.getLast().startedAt().plus(WINDOW));
            if (wait.isPositive()) {
                return Optional.of(LifecycleRefusal.of(
                        CODE,
                        "You submitted " + limit.hour() + " " + terms.plural()
                                + " within the last hour, which is the limit. Try again in "
                                + Math.max(1, wait.plusSeconds(59).toMinutes()) + " min."));
            }
        }
        return Optional.empty();
    }
}
