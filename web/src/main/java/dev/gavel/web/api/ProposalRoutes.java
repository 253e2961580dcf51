package dev.gavel.web.api;

import dev.gavel.gateway.member.Member;
import dev.gavel.gateway.proposal.ApprovalDraft;
import dev.gavel.gateway.proposal.ProposalState;
import dev.gavel.gateway.proposal.ProposalView;
import dev.gavel.gateway.topic.ProposalQueries;
import dev.gavel.gateway.topic.Topic;
import dev.gavel.mcpx.ParticipantInfo;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.web.http.HttpProblem;
import dev.gavel.web.http.JsonResponses;
import dev.gavel.web.http.RequestBodyReader;
import dev.gavel.web.http.TopicAccess;
import dev.gavel.web.http.TopicAccessResult;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/** Serves a topic's overview, its proposals and their assessments to the topic's members. Thread-safe. */
public final class ProposalRoutes {
    static final HttpProblem NO_LEDGER =
            new HttpProblem(404, "no_ledger", "this topic has no ledger, so its proposals are not recorded");

    private static final String TOPIC = "/topics/:topic";
    private static final int DEFAULT_PAGE_SIZE = 50;
    private static final int MAX_PAGE_SIZE = 500;

    private final TopicAccess topicAccess;
    private final int maxBodyBytes;

    /**
     * Creates the routes.
     *
     * @param maxBodyBytes the size limit of a request with edited arguments
     */
    public ProposalRoutes(TopicAccess topicAccess, int maxBodyBytes) {
        this.topicAccess = topicAccess;
        this.maxBodyBytes = maxBodyBytes;
    }

    public void mount(Router router) {
        router.get(TOPIC)
                .handler(context -> topicAccess.authorizeRateLimited(context, granted -> overview(context, granted)));
        router.get(TOPIC + "/proposals").handler(context -> authorize(context, this::list));
        router.get(TOPIC + "/proposals/:id").handler(context -> authorize(context, this::show));
        router.post(TOPIC + "/proposals/:id/assess")
                .handler(context -> authorize(
                        context,
                        (_, member, proposalQueries) -> RequestBodyReader.read(
                                context, maxBodyBytes, body -> assess(context, member, proposalQueries, body))));
        router.post(TOPIC + "/proposals/:id/reveal").handler(context -> authorize(context, this::reveal));
    }

    /** Handles a request of an authorized member. */
    @FunctionalInterface
    private interface MemberHandler {
        void handle(RoutingContext context, Member member, ProposalQueries proposalQueries);
    }

    private void authorize(RoutingContext context, MemberHandler memberHandler) {
        topicAccess.authorizeRateLimited(
                context,
                granted -> granted.topic()
                        .proposalQueries()
                        .ifPresentOrElse(
                                proposalQueries -> memberHandler.handle(context, granted.member(), proposalQueries),
                                () -> NO_LEDGER.send(context.response())));
    }

    private static void overview(RoutingContext context, TopicAccessResult.Granted granted) {
        Topic topic = granted.topic();
        JsonResponses.whenComplete(topic.overview(), context, overview -> {
            JsonArray participants = new JsonArray();
            overview.participants().forEach(member -> participants.add(json(member)));
            JsonResponses.send(
                    context,
                    200,
                    new JsonObject()
                            .put("name", topic.name())
                            .put("you", json(granted.member()))
                            .put("participants", participants)
                            .put(
                                    "names",
                                    new JsonObject(
                                            Map.copyOf(topic.memberNames().namesById())))
                            .put("seq", overview.seq())
                            .put("ledger", topic.proposalQueries().isPresent())
                            .toBuffer());
        });
    }

    static JsonObject json(Member member) {
        return new JsonObject(Buffer.buffer(new ParticipantInfo(member.id(), member.capabilitySet()).toJson()));
    }

    private void list(RoutingContext context, Member member, ProposalQueries proposalQueries) {
        String stateText = context.request().getParam("state");
        Optional<ProposalState> state = Arrays.stream(ProposalState.values())
                .filter(each -> each.label().equals(stateText))
                .findFirst();
        String limit = context.request().getParam("limit", String.valueOf(DEFAULT_PAGE_SIZE));
        if (stateText != null && state.isEmpty()) {
            new HttpProblem(
                            400,
                            "bad_state",
                            "state must be one of "
                                    + Arrays.stream(ProposalState.values())
                                            .map(ProposalState::label)
                                            .collect(Collectors.joining(", ")))
                    .send(context.response());
        } else if (!limit.matches("[1-9]\\d{0,2}") || Integer.parseInt(limit) > MAX_PAGE_SIZE) {
            new HttpProblem(400, "bad_limit", "limit must be a number from 1 to " + MAX_PAGE_SIZE)
                    .send(context.response());
        } else {
            JsonResponses.sendWhenComplete(
                    proposalQueries.listJson(
                            member,
                            state,
                            Optional.ofNullable(context.request().getParam("from")),
                            Optional.ofNullable(context.request().getParam("cursor")),
                            Integer.parseInt(limit)),
                    context,
                    () -> new HttpProblem(400, "bad_cursor", "the cursor is not valid; start again without a cursor")
                            .send(context.response()));
        }
    }

    private void show(RoutingContext context, Member member, ProposalQueries proposalQueries) {
        String id = Objects.requireNonNull(context.pathParam("id"));
        JsonResponses.sendWhenComplete(
                proposalQueries.viewJson(member, id),
                context,
                () -> unknownProposal(id).send(context.response()));
    }

    private static HttpProblem unknownProposal(String id) {
        return new HttpProblem(
                404, "unknown_proposal", "The topic has no proposal with the ID '" + SafeText.brief(id, 80) + "'.");
    }

    /** The assessment of a drafted approval, or why there is none. */
    private record AssessmentResult(Optional<HttpProblem> problem, Buffer json) {
        static AssessmentResult refused(HttpProblem problem) {
            return new AssessmentResult(Optional.of(problem), Buffer.buffer());
        }
    }

    /** Assesses the call with edited arguments, or on one participant. Parses the body off the event loop. */
    private static void assess(RoutingContext context, Member member, ProposalQueries proposalQueries, byte[] body) {
        String id = Objects.requireNonNull(context.pathParam("id"));
        JsonResponses.whenComplete(
                proposalQueries.view(member, id).thenCompose(found -> {
                    if (found.isEmpty()) {
                        return CompletableFuture.completedFuture(AssessmentResult.refused(unknownProposal(id)));
                    }
                    AdminRequestBodyParser fields = AdminRequestBodyParser.read(body, Set.of("arguments", "to"));
                    ApprovalDraft draft = new ApprovalDraft(fields.object("arguments"), fields.text("to"));
                    return fields.problem()
                            .map(problem -> CompletableFuture.completedFuture(AssessmentResult.refused(problem)))
                            .orElseGet(() -> proposalQueries
                                    .view(member, id, draft)
                                    .thenApply(assessed -> assessed.map(view -> new AssessmentResult(
                                                    Optional.empty(), Buffer.buffer(view.toAssessmentJson())))
                                            .orElseGet(() -> AssessmentResult.refused(unknownProposal(id)))));
                }),
                context,
                result -> result.problem()
                        .ifPresentOrElse(
                                problem -> problem.send(context.response()),
                                () -> JsonResponses.send(context, 200, result.json())));
    }

    /** Shows a proposal with its secret arguments, after the ledger has recorded who sees them. */
    private void reveal(RoutingContext context, Member member, ProposalQueries proposalQueries) {
        String id = Objects.requireNonNull(context.pathParam("id"));
        JsonResponses.whenComplete(proposalQueries.view(member, id), context, found -> {
            if (found.isEmpty()) {
                unknownProposal(id).send(context.response());
                return;
            }
            JsonResponses.sendWhenComplete(
                    proposalQueries.reveal(member, id).thenApply(revealed -> revealed.map(ProposalView::toJson)),
                    context,
                    () -> new HttpProblem(
                                    403,
                                    "not_reviewer",
                                    "only members who could approve this proposal can reveal its secret"
                                            + " arguments, each at most 50 times")
                            .send(context.response()));
        });
    }
}
