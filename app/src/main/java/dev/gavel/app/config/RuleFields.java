package dev.gavel.app.config;

import dev.gavel.gateway.proposal.ProposalRules;
import dev.gavel.gateway.proposal.ProposalRules.Rejection;
import dev.gavel.yaml.Fields;
import dev.gavel.yaml.Problems;
import java.time.Duration;
import java.util.Optional;

/** Reads what a topic settles about its proposals. Stateless. */
final class RuleFields {
    private static final ProposalRules USUAL = Defaults.RULES;

    private RuleFields() {}

    /** The rules among a topic's fields; what is not said is the default, and so is what is wrong. */
    static ProposalRules read(Fields topic, Problems problems) {
        Ttl ttl = topic.fields("ttl").map(fields -> ttl(fields, problems)).orElse(Ttl.USUAL);
        return new ProposalRules(
                ttl.usual(),
                ttl.longest(),
                span(topic, "answer", problems).orElse(USUAL.answer()),
                topic.parsed("rejection", "veto or all", RuleFields::rejection).orElse(USUAL.rejection()),
                topic.bool("selfApproval").orElse(USUAL.selfApproval()));
    }

    private static Ttl ttl(Fields fields, Problems problems) {
        Optional<Duration> usual = span(fields, "default", problems);
        Optional<Duration> longest = span(fields, "max", problems);
        fields.done();
        Ttl ttl = new Ttl(usual.orElse(Ttl.USUAL.usual()), longest.orElse(Ttl.USUAL.longest()));
        if (ttl.usual().compareTo(ttl.longest()) > 0) {
            if (usual.isPresent()) {
                problems.add(
                        fields.position("default"),
                        "'default' must not be longer than 'max'"
                                + (longest.isPresent() ? "" : "; that is 24h where nothing is said"));
            } else {
                problems.add(
                        fields.position("max"),
                        "'max' must not be shorter than 'default'; that is 15m where nothing is said");
            }
        }
        return ttl;
    }

    private static Optional<Duration> span(Fields fields, String key, Problems problems) {
        return fields.duration(key).filter(span -> {
            if (span.isZero()) {
                problems.add(fields.position(key), "'" + key + "' must be above 0");
            }
            return !span.isZero();
        });
    }

    private static Optional<Rejection> rejection(String text) {
        return switch (text) {
            case "veto" -> Optional.of(Rejection.VETO);
            case "all" -> Optional.of(Rejection.ALL);
            default -> Optional.empty();
        };
    }

    private record Ttl(Duration usual, Duration longest) {
        static final Ttl USUAL = new Ttl(RuleFields.USUAL.ttl(), RuleFields.USUAL.longestTtl());
    }
}
