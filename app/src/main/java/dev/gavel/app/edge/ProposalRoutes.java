package dev.gavel.app.edge;

import dev.gavel.gateway.Member;
import dev.gavel.gateway.Records;
import dev.gavel.gateway.Topic;
import dev.gavel.gateway.proposal.ProposalState;
import dev.gavel.mcpx.Participant;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/** Lets a topic's members read who is there and how its proposals stand. Thread-safe. */
final class ProposalRoutes {
    static final Problem NO_LEDGER =
            new Problem(404, "no_ledger", "this topic keeps no ledger, so it knows of no proposals");

    private static final String TOPIC = "/topics/:topic";
    private static final int PAGE = 50;
    private static final int LARGEST_PAGE = 500;

    private final Visits visits;

    ProposalRoutes(Visits visits) {
        this.visits = visits;
    }

    void mount(Router router) {
        router.get(TOPIC).handler(context -> visits.grantReader(context, granted -> overview(context, granted)));
        router.get(TOPIC + "/proposals").handler(context -> visit(context, this::list));
        router.get(TOPIC + "/proposals/:id").handler(context -> visit(context, this::show));
    }

    /** Answers somebody who may ask. */
    @FunctionalInterface
    private interface Answer {
        void give(RoutingContext context, Member member, Records records);
    }

    private void visit(RoutingContext context, Answer answer) {
        visits.grantReader(
                context,
                granted -> granted.topic()
                        .records()
                        .ifPresentOrElse(
                                records -> answer.give(context, granted.member(), records),
                                () -> NO_LEDGER.send(context.response())));
    }

    private static void overview(RoutingContext context, Visit.Granted granted) {
        Topic topic = granted.topic();
        Answers.when(topic.overview(), context, overview -> {
            JsonArray participants = new JsonArray();
            overview.participants().forEach(member -> participants.add(json(member)));
            Answers.send(
                    context,
                    200,
                    new JsonObject()
                            .put("name", topic.name())
                            .put("you", json(granted.member()))
                            .put("participants", participants)
                            .put("seq", overview.seq())
                            .put("ledger", topic.records().isPresent())
                            .toBuffer());
        });
    }

    static JsonObject json(Member member) {
        return new JsonObject(Buffer.buffer(new Participant(member.id(), member.capabilities()).toJson()));
    }

    private void list(RoutingContext context, Member member, Records records) {
        String word = context.request().getParam("state");
        Optional<ProposalState> state = Arrays.stream(ProposalState.values())
                .filter(each -> each.word().equals(word))
                .findFirst();
        String limit = context.request().getParam("limit", String.valueOf(PAGE));
        if (word != null && state.isEmpty()) {
            new Problem(
                            400,
                            "bad_state",
                            "state is one of "
                                    + Arrays.stream(ProposalState.values())
                                            .map(ProposalState::word)
                                            .collect(Collectors.joining(", ")))
                    .send(context.response());
        } else if (!limit.matches("[1-9]\\d{0,2}") || Integer.parseInt(limit) > LARGEST_PAGE) {
            new Problem(400, "bad_limit", "limit is a number from 1 to " + LARGEST_PAGE).send(context.response());
        } else {
            Answers.when(
                    records.proposals(
                            member,
                            state,
                            Optional.ofNullable(context.request().getParam("from")),
                            Optional.ofNullable(context.request().getParam("cursor")),
                            Integer.parseInt(limit)),
                    context,
                    found -> found.ifPresentOrElse(
                            listing -> Answers.send(context, 200, Buffer.buffer(listing)),
                            () -> new Problem(400, "bad_cursor", "no list here gave that cursor; begin without one")
                                    .send(context.response())));
        }
    }

    private void show(RoutingContext context, Member member, Records records) {
        String id = Objects.requireNonNull(context.pathParam("id"));
        Answers.when(
                records.proposal(member, id),
                context,
                found -> found.ifPresentOrElse(
                        view -> Answers.send(context, 200, Buffer.buffer(view)),
                        () -> new Problem(404, "unknown_proposal", "no proposal of this topic has that id")
                                .send(context.response())));
    }
}
