package dev.gavel.app.edge;

import dev.gavel.app.identity.Authentication.Authenticated;
import dev.gavel.app.identity.Authentication.Unauthenticated;
import dev.gavel.app.identity.Identities;
import dev.gavel.app.identity.Identity;
import dev.gavel.gateway.Gateway;
import dev.gavel.gateway.Member;
import dev.gavel.gateway.Topic;
import dev.gavel.mcpx.Capabilities;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Tells an identity which topics there are for it: those it is a member of, and to an admin all. Thread-safe. */
final class TopicList {
    private static final String ADMIN = "admin";

    private final Gateway gateway;
    private final Identities identities;
    private final Origins origins;

    TopicList(Gateway gateway, Identities identities, Origins origins) {
        this.gateway = gateway;
        this.identities = identities;
        this.origins = origins;
    }

    void mount(Router router) {
        router.get("/topics").handler(this::list);
    }

    private void list(RoutingContext context) {
        if (!origins.allows(context.request())) {
            new Problem(403, "foreign_origin", "web pages of other sites may not connect here")
                    .send(context.response());
            return;
        }
        switch (identities.authenticate(context.request().getHeader(HttpHeaders.AUTHORIZATION))) {
            case Unauthenticated(String reason) -> new Problem(401, "unauthenticated", reason).send(context.response());
            case Authenticated(Identity identity) -> {
                // Asking costs every topic a moment, so it counts against the rate like everything else.
                if (gateway.mayJoin(new Member(identity.id(), Capabilities.NONE))) {
                    answer(context, identity);
                } else {
                    Visits.TOO_FAST.send(context.response());
                }
            }
        }
    }

    private void answer(RoutingContext context, Identity identity) {
        List<CompletableFuture<JsonObject>> entries = gateway.topics().stream()
                .filter(topic -> topic.member(identity.id()).isPresent()
                        || identity.roles().contains(ADMIN))
                .map(topic -> entry(topic, topic.member(identity.id())))
                .toList();
        Answers.when(CompletableFuture.allOf(entries.toArray(CompletableFuture[]::new)), context, all -> {
            JsonArray topics = new JsonArray();
            entries.forEach(entry -> topics.add(entry.join()));
            Answers.send(context, 200, new JsonObject().put("topics", topics).toBuffer());
        });
    }

    private static CompletableFuture<JsonObject> entry(Topic topic, Optional<Member> you) {
        boolean ledger = topic.records().isPresent();
        return topic.overview()
                .thenApply(overview -> {
                    JsonObject entry = new JsonObject()
                            .put("name", topic.name())
                            .put("ledger", ledger)
                            .put("participants", overview.participants().size());
                    if (ledger) {
                        entry.put("open", overview.open());
                    }
                    you.ifPresent(member -> entry.put("you", ProposalRoutes.json(member)));
                    return entry;
                })
                .toCompletableFuture();
    }
}
