package dev.gavel.app.edge.console.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gavel.app.edge.Orders;
import dev.gavel.app.edge.Problem;
import dev.gavel.app.edge.console.session.Fields;
import dev.gavel.app.edge.console.session.Replies;
import dev.gavel.app.edge.console.session.Visitor;
import dev.gavel.app.edge.console.session.Waiting;
import dev.gavel.app.register.Register;
import dev.gavel.app.register.Registrar;
import dev.gavel.console.admin.AdminPages;
import dev.gavel.console.admin.CapabilityLines;
import dev.gavel.console.admin.ConfirmPage;
import dev.gavel.console.admin.MemberPage;
import dev.gavel.console.admin.Paths;
import dev.gavel.console.admin.Preset;
import dev.gavel.console.admin.TopicPage;
import dev.gavel.console.admin.TopicPage.MemberLine;
import dev.gavel.console.admin.TopicsPage;
import dev.gavel.gateway.Gateway;
import dev.gavel.gateway.Member;
import dev.gavel.gateway.Topic;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Where admins say who is a member of a topic, and what each may send there. Thread-safe. */
final class CapabilityRoutes {
    private static final String TOPIC = Paths.TOPICS + "/:topic";
    private static final String MEMBER = TOPIC + "/members/:name";

    /** More names are no help to whoever writes one. */
    private static final int MOST_OTHERS = 500;

    private final Admins admins;
    private final Gateway gateway;
    private final Glance glance;
    private final Registrar registrar;
    private final Orders orders;
    private final InstantSource clock;

    CapabilityRoutes(
            Admins admins, Gateway gateway, Glance glance, Registrar registrar, Orders orders, InstantSource clock) {
        this.admins = admins;
        this.gateway = gateway;
        this.glance = glance;
        this.registrar = registrar;
        this.orders = orders;
        this.clock = clock;
    }

    void mount(Router router) {
        router.get(Paths.TOPICS)
                .handler(context -> admins.page(
                        context,
                        visitor -> Waiting.on(
                                glance.topics(),
                                context,
                                topics -> Replies.page(
                                        context,
                                        200,
                                        AdminPages.topics(
                                                new TopicsPage(admins.frame(visitor, "Capabilities"), topics),
                                                clock.instant())))));
        router.get(TOPIC)
                .handler(context -> admins.page(
                        context,
                        visitor -> topic(
                                context,
                                topic -> show(
                                        context, visitor, topic, 200, "", Notice.asked(context), Optional.empty()))));
        router.get(TOPIC + "/members")
                .handler(context ->
                        admins.page(context, visitor -> topic(context, topic -> add(context, visitor, topic))));
        router.get(MEMBER)
                .handler(context -> admins.page(
                        context, visitor -> place(context, (topic, name) -> edit(context, visitor, topic, name))));
        router.post(MEMBER)
                .handler(context -> admins.form(
                        context,
                        (visitor, fields) ->
                                place(context, (topic, name) -> save(context, visitor, topic, name, fields))));
        router.get(MEMBER + "/remove")
                .handler(context -> admins.page(
                        context, visitor -> place(context, (topic, name) -> remove(context, visitor, topic, name))));
        router.post(MEMBER + "/remove")
                .handler(context -> admins.form(
                        context,
                        (visitor, fields) -> place(
                                context,
                                (topic, name) -> Admins.when(
                                        orders.remove(Admins.by(visitor), topic.name(), name),
                                        context,
                                        done -> Replies.redirect(context, Notice.REMOVED.on(Paths.topic(topic.name()))),
                                        problem -> refused(context, visitor, topic, problem)))));
        router.get(MEMBER + "/reset")
                .handler(context -> admins.page(
                        context, visitor -> place(context, (topic, name) -> reset(context, visitor, topic, name))));
        router.post(MEMBER + "/reset")
                .handler(context -> admins.form(
                        context,
                        (visitor, fields) -> place(
                                context,
                                (topic, name) -> Admins.when(
                                        orders.reset(Admins.by(visitor), topic.name(), name),
                                        context,
                                        done -> Replies.redirect(context, Notice.RESET.on(Paths.topic(topic.name()))),
                                        problem -> refused(context, visitor, topic, problem)))));
    }

    private void topic(RoutingContext context, Consumer<Topic> then) {
        gateway.topic(Objects.requireNonNull(context.pathParam("topic")))
                .ifPresentOrElse(
                        then, () -> Replies.refuse(context, 404, "Not found", "There is no topic of that name."));
    }

    private void place(RoutingContext context, BiConsumer<Topic, String> then) {
        topic(context, topic -> {
            String name = Objects.requireNonNull(context.pathParam("name"));
            if (registrar.register().knows(name)) {
                then.accept(topic, name);
            } else {
                Replies.refuse(context, 404, "Not found", "Nobody of that name is known here.");
            }
        });
    }

    private void refused(RoutingContext context, Visitor visitor, Topic topic, Problem problem) {
        show(
                context,
                visitor,
                topic,
                problem.status(),
                "",
                Optional.empty(),
                Optional.of("Nothing was changed. " + Admins.sentence(problem)));
    }

    private void show(
            RoutingContext context,
            Visitor visitor,
            Topic topic,
            int status,
            String wanted,
            Optional<String> done,
            Optional<String> complaint) {
        Waiting.on(topic.overview(), context, overview -> {
            Set<String> here = overview.participants().stream().map(Member::id).collect(Collectors.toSet());
            Register register = registrar.register();
            List<MemberLine> members = topic.members().stream()
                    .map(member -> new MemberLine(
                            member.id(),
                            here.contains(member.id()),
                            register.settledAtRunTime(topic.name(), member.id()),
                            register.isOwn(member.id()),
                            CapabilityLines.of(member.capabilities())))
                    .toList();
            Set<String> in = members.stream().map(MemberLine::id).collect(Collectors.toSet());
            List<String> others = register.names().stream()
                    .filter(name -> !in.contains(name))
                    .sorted()
                    .toList();
            List<String> removed = others.stream()
                    .filter(name -> register.configuredIn(topic.name(), name).isPresent())
                    .toList();
            Replies.page(
                    context,
                    status,
                    AdminPages.topic(
                            new TopicPage(
                                    admins.frame(visitor, "Members of " + topic.name()),
                                    topic.name(),
                                    members,
                                    removed,
                                    others.size() > MOST_OTHERS ? List.of() : others,
                                    wanted,
                                    done,
                                    complaint),
                            clock.instant()));
        });
    }

    private void add(RoutingContext context, Visitor visitor, Topic topic) {
        String name = context.request().getParam("name", "").strip();
        if (registrar.register().knows(name)) {
            Replies.redirect(context, Paths.member(topic.name(), name));
            return;
        }
        show(
                context,
                visitor,
                topic,
                name.isEmpty() ? 400 : 404,
                name,
                Optional.empty(),
                Optional.of(
                        name.isEmpty()
                                ? "Say who is to become a member."
                                : "Nobody is called '" + SafeText.brief(name, 80)
                                        + "'. Make a new identity first, or look at the spelling."));
    }

    private void edit(RoutingContext context, Visitor visitor, Topic topic, String name) {
        String text = Preset.of(context.request().getParam("preset", ""))
                .map(Preset::text)
                .orElseGet(() -> topic.member(name)
                        .map(member -> CapabilityLines.of(member.capabilities()))
                        .orElse(""));
        form(context, visitor, topic, name, 200, text, List.of());
    }

    private void form(
            RoutingContext context,
            Visitor visitor,
            Topic topic,
            String name,
            int status,
            String text,
            List<String> errors) {
        Register register = registrar.register();
        Replies.page(
                context,
                status,
                AdminPages.member(
                        new MemberPage(
                                admins.frame(visitor, name + " in " + topic.name()),
                                topic.name(),
                                name,
                                topic.member(name).isPresent(),
                                register.settledAtRunTime(topic.name(), name),
                                register.configuredIn(topic.name(), name).map(CapabilityLines::of),
                                text,
                                errors),
                        clock.instant()));
    }

    private void save(RoutingContext context, Visitor visitor, Topic topic, String name, Fields fields) {
        String text = fields.text("capabilities").orElse("");
        List<String> faults = CapabilityLines.faults(text);
        if (!faults.isEmpty()) {
            form(context, visitor, topic, name, 400, text, faults);
            return;
        }
        byte[] body = Json.object()
                .with("capabilities", CapabilityLines.json(text))
                .raw()
                .getBytes(UTF_8);
        Admins.when(
                orders.member(Admins.by(visitor), topic.name(), name, body),
                context,
                done -> Replies.redirect(context, Notice.SAVED.on(Paths.topic(topic.name()))),
                problem ->
                        form(context, visitor, topic, name, problem.status(), text, List.of(Admins.sentence(problem))));
    }

    private void remove(RoutingContext context, Visitor visitor, Topic topic, String name) {
        confirm(
                context,
                new ConfirmPage(
                        admins.frame(visitor, "Take " + name + " out?"),
                        "Take " + name + " out of " + topic.name() + "?",
                        "Its connections to the topic end at once, and it can send nothing there any more. It can be"
                                + " made a member again.",
                        name.equals(visitor.id())
                                ? Optional.of("That is you: what waits on you in " + topic.name()
                                        + " is not shown to you any more.")
                                : Optional.empty(),
                        Paths.member(topic.name(), name) + "/remove",
                        List.of(),
                        "Take it out",
                        Paths.member(topic.name(), name)));
    }

    private void reset(RoutingContext context, Visitor visitor, Topic topic, String name) {
        Optional<String> configured =
                registrar.register().configuredIn(topic.name(), name).map(CapabilityLines::of);
        confirm(
                context,
                new ConfirmPage(
                        admins.frame(visitor, "Back to the configuration?"),
                        "Let " + name + " be in " + topic.name() + " what the configuration says?",
                        configured
                                .map(text -> "It may then send "
                                        + (text.isEmpty() ? "nothing" : SafeText.line(text.replace("\n", ", ")))
                                        + ", at once.")
                                .orElse("The configuration does not name it there: it is then no member, at once."),
                        Optional.empty(),
                        Paths.member(topic.name(), name) + "/reset",
                        List.of(),
                        "Go back",
                        Paths.member(topic.name(), name)));
    }

    private void confirm(RoutingContext context, ConfirmPage page) {
        Replies.page(context, 200, AdminPages.confirm(page, clock.instant()));
    }
}
