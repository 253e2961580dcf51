package dev.gavel.app.edge;

import dev.gavel.app.identity.Authentication.Authenticated;
import dev.gavel.app.identity.Identity;
import dev.gavel.app.register.Registrar;
import dev.gavel.gateway.Gateway;
import dev.gavel.gateway.Member;
import dev.gavel.gateway.Topic;
import dev.gavel.mcpx.Spelling;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Shows who is a member of a topic, and lets admins change that and what members may send. Thread-safe. */
final class MemberRoutes {
    private static final String MEMBERS = "/topics/:topic/members";
    private static final String MEMBER = MEMBERS + "/:name";

    private final Visits visits;
    private final Gateway gateway;
    private final Registrar registrar;
    private final Orders orders;

    MemberRoutes(Visits visits, Gateway gateway, Registrar registrar, Orders orders) {
        this.visits = visits;
        this.gateway = gateway;
        this.registrar = registrar;
        this.orders = orders;
    }

    void mount(Router router) {
        router.get(MEMBERS).handler(context -> visits.grantIdentity(context, known -> list(context, known)));
        router.put(MEMBER)
                .handler(context -> admin(
                        context,
                        (admin, place) -> Bodies.read(
                                context,
                                Form.LONGEST,
                                body -> Rulings.when(
                                        orders.member(admin, place.topic().name(), place.name(), body),
                                        context,
                                        done -> show(context, place)))));
        router.delete(MEMBER)
                .handler(context -> admin(
                        context,
                        (admin, place) -> Rulings.when(
                                orders.remove(admin, place.topic().name(), place.name()),
                                context,
                                done -> Answers.send(
                                        context, 200, id(place.name()).toBuffer()))));
        router.post(MEMBER + "/reset")
                .handler(context -> admin(
                        context,
                        (admin, place) -> Rulings.when(
                                orders.reset(admin, place.topic().name(), place.name()),
                                context,
                                done -> show(context, place))));
    }

    /** Who in which topic a request is about. */
    private record Place(Topic topic, String name) {}

    private void admin(RoutingContext context, BiConsumer<Orders.By, Place> then) {
        visits.grantAdmin(
                context,
                admin -> topic(context, topic -> {
                    String name = Objects.requireNonNull(context.pathParam("name"));
                    Rulings.badName(name)
                            .ifPresentOrElse(
                                    bad -> bad.send(context.response()),
                                    () -> then.accept(
                                            new Orders.By(admin.identity().id(), admin.warrant()),
                                            new Place(topic, name)));
                }));
    }

    private void topic(RoutingContext context, Consumer<Topic> then) {
        String name = Objects.requireNonNull(context.pathParam("topic"));
        if (!Visits.isTopicName(name)) {
            Visits.BAD_TOPIC.send(context.response());
            return;
        }
        gateway.topic(name).ifPresentOrElse(then, () -> Visits.noSuchTopic(name).send(context.response()));
    }

    private void list(RoutingContext context, Authenticated known) {
        topic(context, topic -> {
            Identity who = known.identity();
            if (!who.roles().contains(Identity.ADMIN) && topic.member(who.id()).isEmpty()) {
                Visits.notAMember(who.id(), topic.name()).send(context.response());
                return;
            }
            Answers.when(topic.overview(), context, overview -> {
                Set<String> here = here(overview);
                JsonArray members = new JsonArray();
                topic.members().forEach(member -> members.add(json(topic, member, here)));
                Answers.send(
                        context, 200, new JsonObject().put("members", members).toBuffer());
            });
        });
    }

    /** Answers with a member as they are now. */
    private void show(RoutingContext context, Place place) {
        Answers.when(
                place.topic().overview(),
                context,
                overview -> Answers.send(
                        context,
                        200,
                        place.topic()
                                .member(place.name())
                                .map(member -> json(place.topic(), member, here(overview)))
                                .orElseGet(() -> id(place.name()))
                                .toBuffer()));
    }

    private static Set<String> here(Topic.Overview overview) {
        return overview.participants().stream().map(Member::id).collect(Collectors.toSet());
    }

    private JsonObject json(Topic topic, Member member, Set<String> here) {
        boolean runTime = registrar.register().settledAtRunTime(topic.name(), member.id());
        return id(member.id())
                .put(
                        "capabilities",
                        new JsonArray(Buffer.buffer(member.capabilities().toJson(Spelling.CURRENT))))
                .put("here", here.contains(member.id()))
                .put("source", runTime ? "run-time" : "configuration");
    }

    private static JsonObject id(String name) {
        return new JsonObject().put("id", name);
    }
}
