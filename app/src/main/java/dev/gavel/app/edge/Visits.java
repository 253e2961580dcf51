package dev.gavel.app.edge;

import dev.gavel.app.identity.Authentication.Authenticated;
import dev.gavel.app.identity.Authentication.Unauthenticated;
import dev.gavel.app.identity.Identities;
import dev.gavel.app.identity.Identity;
import dev.gavel.app.metrics.Refusals;
import dev.gavel.gateway.Connection;
import dev.gavel.gateway.Gateway;
import dev.gavel.gateway.Membership;
import dev.gavel.gateway.Mode;
import dev.gavel.gateway.Topic;
import dev.gavel.gateway.Warrant;
import dev.gavel.mcpx.Parsed;
import dev.gavel.mcpx.Spelling;
import dev.gavel.mcpx.TopicName;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a request may enter a topic, for every transport alike. What is wrong is looked for in an order that
 * tells nobody without a token which topics there are. Thread-safe.
 */
public final class Visits {
    static final Problem FULL = new Problem(503, "unavailable", "no more connections now; try again later", 1000);

    static final Problem TOO_FAST = new Problem(429, "rate_limited", "you come, go or ask too fast; slow down", 1000);

    static final Problem BAD_TOPIC =
            new Problem(400, "bad_topic", "name a topic: small letters, digits, _ and -, divided by single dots");

    static final Problem REVOKED = new Problem(401, "unauthenticated", "the token is unknown, expired or revoked");

    static final Problem FOREIGN = new Problem(403, "foreign_origin", "web pages of other sites may not connect here");

    private final Gateway gateway;
    private final Identities identities;
    private final Origins origins;
    private final Refusals refusals;

    /** For everybody the configuration lets in, as it says where they may come from. */
    public static Visits of(WebConfig config, Gateway gateway, Identities identities, Refusals refusals) {
        return new Visits(
                gateway,
                identities,
                new Origins(config.publicUrl(), config.tls().isPresent()),
                refusals);
    }

    Visits(Gateway gateway, Identities identities, Origins origins, Refusals refusals) {
        this.refusals = refusals;
        this.gateway = gateway;
        this.identities = identities;
        this.origins = origins;
    }

    /**
     * Examines a request to a topic.
     *
     * @param parameter what the topic's name is called among the values
     */
    Visit examine(HttpServerRequest request, String parameter, Function<String, @Nullable String> values) {
        try {
            return examine(request, values.apply(parameter));
        } catch (IllegalArgumentException e) {
            return denied(400, "bad_request", "the query is not properly encoded");
        }
    }

    /** Lets a request to a topic named in its path go on, or answers it with why not. */
    void grant(RoutingContext context, Consumer<Visit.Granted> then) {
        switch (examine(context.request(), "topic", context::pathParam)) {
            case Visit.Denied(Problem problem) -> refuse(problem, context.response());
            case Visit.Granted granted -> then.accept(granted);
        }
    }

    /** As {@link #grant}, for whoever reads, comes or goes: that counts against their rate like sending. */
    void grantReader(RoutingContext context, Consumer<Visit.Granted> then) {
        grant(context, granted -> {
            if (gateway.mayJoin(granted.member().id())) {
                then.accept(granted);
            } else {
                refuse(TOO_FAST, context.response());
            }
        });
    }

    /** Turns a request away. */
    void refuse(Problem problem, HttpServerResponse response) {
        refusals.count(problem.code());
        problem.send(response);
    }

    private Visit examine(HttpServerRequest request, @Nullable String name) {
        if (!origins.allows(request)) {
            return new Visit.Denied(FOREIGN);
        }
        if (!isTopicName(name)) {
            return new Visit.Denied(BAD_TOPIC);
        }
        Optional<Mode> mode = Mode.parse(request.getParam("mode", "all"));
        if (mode.isEmpty()) {
            return denied(400, "bad_mode", "mode is 'all' or 'directed'");
        }
        String spelling = request.getParam("spelling");
        if (spelling != null && !spelling.equals("v0.1")) {
            return denied(400, "bad_spelling", "spelling is 'v0.1' or left out");
        }
        String asked = request.getParam("since");
        String since = asked == null ? request.getHeader("Last-Event-ID") : asked;
        if (since != null && !since.matches("\\d{1,18}")) {
            return denied(400, "bad_since", "since is a seq: a whole number from 0");
        }
        return enter(
                request,
                Objects.requireNonNull(name),
                new Connection.Wish(
                        mode.get(), since == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(since))),
                spelling == null ? Spelling.CURRENT : Spelling.V0_1);
    }

    /** Lets a member go on who asks for nothing of what goes on in the topic, or answers with why not. */
    void grantMember(RoutingContext context, Consumer<Visit.Granted> then) {
        String name = context.pathParam("topic");
        Visit visit = !origins.allows(context.request())
                ? new Visit.Denied(FOREIGN)
                : name == null || !isTopicName(name)
                        ? new Visit.Denied(BAD_TOPIC)
                        : enter(
                                context.request(),
                                name,
                                new Connection.Wish(Mode.DIRECTED, OptionalLong.empty()),
                                Spelling.CURRENT);
        switch (visit) {
            case Visit.Denied(Problem problem) -> refuse(problem, context.response());
            case Visit.Granted granted -> then.accept(granted);
        }
    }

    private Visit enter(HttpServerRequest request, String name, Connection.Wish wish, Spelling spelling) {
        return switch (identities.authenticate(request.getHeader(HttpHeaders.AUTHORIZATION))) {
            case Unauthenticated(String reason) -> denied(401, "unauthenticated", reason);
            case Authenticated(Identity identity, Warrant warrant) -> {
                Optional<Topic> topic = gateway.topic(name);
                if (topic.isEmpty()) {
                    yield new Visit.Denied(noSuchTopic(name));
                }
                Optional<Membership> member = topic.get().membership(identity.id());
                if (member.isEmpty()) {
                    yield new Visit.Denied(notAMember(identity.id(), name));
                }
                if (gateway.draining()) {
                    yield new Visit.Denied(FULL);
                }
                yield new Visit.Granted(topic.get(), member.get(), warrant, wish, spelling);
            }
        };
    }

    /** Lets a request go on that is about no topic, or answers it with why not; asking counts against the rate. */
    public void grantIdentity(RoutingContext context, Consumer<Authenticated> then) {
        if (!origins.allows(context.request())) {
            refuse(FOREIGN, context.response());
            return;
        }
        switch (identities.authenticate(context.request().getHeader(HttpHeaders.AUTHORIZATION))) {
            case Unauthenticated(String reason) ->
                refuse(new Problem(401, "unauthenticated", reason), context.response());
            case Authenticated known -> {
                if (gateway.draining()) {
                    refuse(FULL, context.response());
                } else if (!gateway.mayJoin(known.identity().id())) {
                    refuse(TOO_FAST, context.response());
                } else {
                    then.accept(known);
                }
            }
        }
    }

    /** As {@link #grantIdentity}, for admins alone. */
    void grantAdmin(RoutingContext context, Consumer<Authenticated> then) {
        grantIdentity(context, known -> {
            if (known.identity().roles().contains(Identity.ADMIN)) {
                then.accept(known);
            } else {
                refuse(
                        new Problem(
                                403,
                                "not_admin",
                                "'" + known.identity().id() + "' does not have the role admin, which this needs"),
                        context.response());
            }
        });
    }

    /** What has come to stand against somebody since they were let in. */
    static Optional<Problem> meanwhile(Visit.Granted granted) {
        if (!granted.warrant().holds()) {
            return Optional.of(REVOKED);
        }
        return granted.membership().over()
                ? Optional.of(notAMember(granted.member().id(), granted.topic().name()))
                : Optional.empty();
    }

    static boolean isTopicName(@Nullable String name) {
        return name != null && TopicName.parse(name) instanceof Parsed.Valid<TopicName>;
    }

    static Problem noSuchTopic(String name) {
        return new Problem(404, "no_such_topic", "there is no topic '" + name + "'");
    }

    static Problem notAMember(String identity, String topic) {
        return new Problem(403, "not_a_member", "'" + identity + "' is no member of '" + topic + "'");
    }

    private static Visit denied(int status, String code, String detail) {
        return new Visit.Denied(new Problem(status, code, detail));
    }
}
