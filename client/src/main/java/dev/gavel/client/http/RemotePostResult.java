package dev.gavel.client.http;

import dev.gavel.mcpx.json.Json;
import java.util.List;

/**
 * The gateway's answer to a posted envelope that it accepted, at least in part. Immutable.
 *
 * @param problems the problems of the parts that were refused
 * @param rejections the effect of a rejection on each proposal; empty for other envelopes
 */
public record RemotePostResult(List<RemoteProblem> problems, List<RejectionReport> rejections) {
    /**
     * What a rejection did to one proposal.
     *
     * @param closed whether the proposal is rejected now
     * @param ineffective whether the rejection does not count, because the sender cannot decide the proposal
     * @param detail one line for people: what happened and, if the proposal is still open, what is missing
     */
    public record RejectionReport(String proposal, boolean closed, boolean ineffective, String detail) {
        static RejectionReport of(Json rejection) {
            return new RejectionReport(
                    rejection.at("proposal").text(),
                    rejection.at("closed").isTrue(),
                    rejection.at("result").text().equals("not_counted"),
                    rejection.at("detail").text());
        }
    }

    public RemotePostResult {
        problems = List.copyOf(problems);
        rejections = List.copyOf(rejections);
    }

    static RemotePostResult of(Json answer, List<RemoteProblem> problems) {
        return new RemotePostResult(
                problems,
                answer.at("rejections").elements().stream()
                        .map(RejectionReport::of)
                        .toList());
    }

    /** Returns what a rejection did to a proposal; an old gateway does not report it. */
    public RejectionReport rejection(String proposal) {
        return rejections.stream()
                .filter(each -> each.proposal().equals(proposal))
                .findFirst()
                .orElseGet(() -> new RejectionReport(
                        proposal, false, false, "recorded; the server does not say whether the proposal is closed"));
    }
}
