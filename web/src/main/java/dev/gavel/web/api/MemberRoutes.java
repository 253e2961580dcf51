package dev.gavel.web.api;

import dev.gavel.gateway.Gateway;
import dev.gavel.gateway.member.Member;
import dev.gavel.gateway.topic.Topic;
import dev.gavel.mcpx.EnvelopeSyntax;
import dev.gavel.web.http.JsonResponses;
import dev.gavel.web.http.RequestBodyReader;
import dev.gavel.web.http.TopicAccess;
import dev.gavel.web.identity.AuthenticationResult.Authenticated;
import dev.gavel.web.identity.Identity;
import dev.gavel.web.registry.IdentityRegistry;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Serves the HTTP API for a topic's members: members and admins can list them; only admins can add, change, remove or
 * reset them. Thread-safe.
 */
public final class MemberRoutes {
    private static final String MEMBERS = "/topics/:topic/members";
    private static final String MEMBER = MEMBERS + "/:name";

    private final TopicAccess topicAccess;
    private final Gateway gateway;
    private final IdentityRegistry identityRegistry;
    private final AdminCommandExecutor adminCommandExecutor;

    public MemberRoutes(
            TopicAccess topicAccess,
            Gateway gateway,
            IdentityRegistry identityRegistry,
            AdminCommandExecutor adminCommandExecutor) {
        this.topicAccess = topicAccess;
        this.gateway = gateway;
        this.identityRegistry = identityRegistry;
        this.adminCommandExecutor = adminCommandExecutor;
    }

    public void mount(Router router) {
        router.get(MEMBERS).handler(context -> topicAccess.authenticate(context, caller -> list(context, caller)));
        router.put(MEMBER)
                .handler(context -> withAdmin(
                        context,
                        (admin, memberTarget) -> RequestBodyReader.read(
                                context,
                                AdminRequestBodyParser.MAX_BYTES,
                                body -> AdminCommandResponses.whenComplete(
                                        adminCommandExecutor.setMember(
                                                admin, memberTarget.topic().name(), memberTarget.name(), body),
                                        context,
                                        done -> show(context, memberTarget)))));
        router.delete(MEMBER)
                .handler(context -> withAdmin(
                        context,
                        (admin, memberTarget) -> AdminCommandResponses.whenComplete(
                                adminCommandExecutor.removeMember(
                                        admin, memberTarget.topic().name(), memberTarget.name()),
                                context,
                                done -> JsonResponses.send(
                                        context, 200, id(memberTarget.name()).toBuffer()))));
        router.post(MEMBER + "/reset")
                .handler(context -> withAdmin(
                        context,
                        (admin, memberTarget) -> AdminCommandResponses.whenComplete(
                                adminCommandExecutor.resetMember(
                                        admin, memberTarget.topic().name(), memberTarget.name()),
                                context,
                                done -> show(context, memberTarget))));
    }

    /** The topic and member that a request concerns. */
    private record MemberTarget(Topic topic, String name) {}

    private void withAdmin(
            RoutingContext context, BiConsumer<AdminCommandExecutor.AdminCaller, MemberTarget> consumer) {
        topicAccess.authorizeAdmin(
                context,
                admin -> withTopic(context, topic -> {
                    String name = Objects.requireNonNull(context.pathParam("name"));
                    AdminCommandResponses.validateName(name)
                            .ifPresentOrElse(
                                    problem -> problem.send(context.response()),
                                    () -> consumer.accept(
                                            new AdminCommandExecutor.AdminCaller(
                                                    admin.identity().id(), admin.revocableAccessGrant()),
                                            new MemberTarget(topic, name)));
                }));
    }

    private void withTopic(RoutingContext context, Consumer<Topic> consumer) {
        String name = Objects.requireNonNull(context.pathParam("topic"));
        if (!TopicAccess.isTopicName(name)) {
            TopicAccess.BAD_TOPIC.send(context.response());
            return;
        }
        gateway.topic(name)
                .ifPresentOrElse(consumer, () -> TopicAccess.noSuchTopic(name).send(context.response()));
    }

    private void list(RoutingContext context, Authenticated caller) {
        withTopic(context, topic -> {
            Identity identity = caller.identity();
            if (!identity.roles().contains(Identity.ADMIN)
                    && topic.member(identity.id()).isEmpty()) {
                TopicAccess.notAMember(identity.id(), topic.name()).send(context.response());
                return;
            }
            JsonResponses.whenComplete(topic.overview(), context, overview -> {
                Set<String> connectedIds = connectedIds(overview);
                JsonArray members = new JsonArray();
                topic.members().forEach(member -> members.add(json(topic, member, connectedIds)));
                JsonResponses.send(
                        context,
                        200,
                        new JsonObject()
                                .put("members", members)
                                .put(
                                        "names",
                                        new JsonObject(
                                                Map.copyOf(topic.memberNames().namesById())))
                                .toBuffer());
            });
        });
    }

    /** Responds with the current state of a member. */
    private void show(RoutingContext context, MemberTarget memberTarget) {
        JsonResponses.whenComplete(
                memberTarget.topic().overview(),
                context,
                overview -> JsonResponses.send(
                        context,
                        200,
                        memberTarget
                                .topic()
                                .member(memberTarget.name())
                                .map(member -> json(memberTarget.topic(), member, connectedIds(overview)))
                                .orElseGet(() -> id(memberTarget.name()))
                                .toBuffer()));
    }

    private static Set<String> connectedIds(Topic.Overview overview) {
        return overview.participants().stream().map(Member::id).collect(Collectors.toSet());
    }

    private JsonObject json(Topic topic, Member member, Set<String> connectedIds) {
        boolean changedAtRunTime = identityRegistry.snapshot().hasMembershipOverride(topic.name(), member.id());
        return id(member.id())
                .put(
                        "capabilities",
                        new JsonArray(Buffer.buffer(member.capabilitySet().toJson(EnvelopeSyntax.CURRENT))))
                .put("here", connectedIds.contains(member.id()))
                .put("source", changedAtRunTime ? "run-time" : "configuration");
    }

    private static JsonObject id(String name) {
        return new JsonObject().put("id", name);
    }
}
