package dev.gavel.web.api;

import dev.gavel.gateway.Gateway;
import dev.gavel.gateway.member.Member;
import dev.gavel.gateway.topic.Topic;
import dev.gavel.web.http.JsonResponses;
import dev.gavel.web.http.TopicAccess;
import dev.gavel.web.identity.Identity;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Serves the list of topics that the authenticated identity is a member of, or all topics to an admin. Thread-safe. */
public final class TopicListRoutes {
    private final Gateway gateway;
    private final TopicAccess topicAccess;

    public TopicListRoutes(Gateway gateway, TopicAccess topicAccess) {
        this.gateway = gateway;
        this.topicAccess = topicAccess;
    }

    public void mount(Router router) {
        router.get("/topics")
                .handler(
                        context -> topicAccess.authenticate(context, caller -> sendTopics(context, caller.identity())));
    }

    private void sendTopics(RoutingContext context, Identity identity) {
        List<CompletableFuture<JsonObject>> entries = gateway.topics().stream()
                .filter(topic -> topic.member(identity.id()).isPresent()
                        || identity.roles().contains(Identity.ADMIN))
                .map(topic -> entry(topic, identity))
                .toList();
        JsonResponses.whenComplete(CompletableFuture.allOf(entries.toArray(CompletableFuture[]::new)), context, all -> {
            JsonArray topics = new JsonArray();
            entries.forEach(entry -> topics.add(entry.join()));
            JsonResponses.send(
                    context,
                    200,
                    new JsonObject()
                            .put(
                                    "you",
                                    new JsonObject()
                                            .put("id", identity.id())
                                            .put("name", identity.name())
                                            .put("handles", new JsonArray(identity.handles())))
                            .put("topics", topics)
                            .toBuffer());
        });
    }

    private static CompletableFuture<JsonObject> entry(Topic topic, Identity identity) {
        boolean ledger = topic.proposalQueries().isPresent();
        Optional<Member> you = topic.member(identity.id());
        return (identity.roles().contains(Identity.ADMIN) ? topic.overview() : topic.overviewFor(identity.id()))
                .thenApply(overview -> {
                    JsonObject entry = new JsonObject()
                            .put("name", topic.name())
                            .put("ledger", ledger)
                            .put("participants", overview.participants().size());
                    if (ledger) {
                        entry.put("open", overview.openProposals());
                    }
                    you.ifPresent(member -> entry.put("you", ProposalRoutes.json(member)));
                    return entry;
                })
                .toCompletableFuture();
    }
}
