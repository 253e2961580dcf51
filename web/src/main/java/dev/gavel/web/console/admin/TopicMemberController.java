package dev.gavel.web.console.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gavel.gateway.Gateway;
import dev.gavel.gateway.member.Member;
import dev.gavel.gateway.topic.Topic;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.web.api.AdminCommandExecutor;
import dev.gavel.web.console.admin.AdminTopicPage.MemberRow;
import dev.gavel.web.console.session.AsyncPageContinuation;
import dev.gavel.web.console.session.ConsoleResponses;
import dev.gavel.web.console.session.ConsoleUser;
import dev.gavel.web.console.session.FormFields;
import dev.gavel.web.http.HttpProblem;
import dev.gavel.web.registry.IdentityRegistry;
import dev.gavel.web.registry.RegistrySnapshot;
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

/** Serves the pages on which admins manage a topic's members and their capabilities. Thread-safe. */
final class TopicMemberController {
    private static final String TOPIC = AdminPaths.TOPICS + "/:topic";
    private static final String MEMBER = TOPIC + "/members/:name";

    /**
     * With more candidates than this, the page suggests none: such a long list does not help the admin to enter a name.
     */
    private static final int MAX_CANDIDATES = 500;

    private final AdminAccess adminAccess;
    private final Gateway gateway;
    private final AdminStatusReader adminStatusReader;
    private final IdentityRegistry identityRegistry;
    private final AdminCommandExecutor adminCommandExecutor;
    private final InstantSource clock;

    TopicMemberController(
            AdminAccess adminAccess,
            Gateway gateway,
            AdminStatusReader adminStatusReader,
            IdentityRegistry identityRegistry,
            AdminCommandExecutor adminCommandExecutor,
            InstantSource clock) {
        this.adminAccess = adminAccess;
        this.gateway = gateway;
        this.adminStatusReader = adminStatusReader;
        this.identityRegistry = identityRegistry;
        this.adminCommandExecutor = adminCommandExecutor;
        this.clock = clock;
    }

    void mount(Router router) {
        router.get(AdminPaths.TOPICS)
                .handler(context -> adminAccess.handlePage(
                        context,
                        consoleUser -> AsyncPageContinuation.whenLoaded(
                                adminStatusReader.topics(),
                                context,
                                topics -> ConsoleResponses.sendPage(
                                        context,
                                        200,
                                        AdminPageRenderer.topics(
                                                new AdminTopicListPage(
                                                        adminAccess.frame(consoleUser, "Capabilities"), topics),
                                                clock.instant())))));
        router.get(TOPIC)
                .handler(context -> adminAccess.handlePage(
                        context,
                        consoleUser -> withTopic(
                                context,
                                topic -> show(
                                        context,
                                        consoleUser,
                                        topic,
                                        200,
                                        "",
                                        AdminSuccessMessage.fromRequest(context),
                                        Optional.empty()))));
        router.get(TOPIC + "/members")
                .handler(context -> adminAccess.handlePage(
                        context,
                        consoleUser -> withTopic(context, topic -> chooseMember(context, consoleUser, topic))));
        router.get(MEMBER)
                .handler(context -> adminAccess.handlePage(
                        context,
                        consoleUser -> withMember(context, (topic, name) -> edit(context, consoleUser, topic, name))));
        router.post(MEMBER)
                .handler(context -> adminAccess.handleForm(
                        context,
                        (consoleUser, fields) ->
                                withMember(context, (topic, name) -> save(context, consoleUser, topic, name, fields))));
        router.get(MEMBER + "/remove")
                .handler(context -> adminAccess.handlePage(
                        context,
                        consoleUser -> withMember(
                                context, (topic, name) -> confirmRemoval(context, consoleUser, topic, name))));
        router.post(MEMBER + "/remove")
                .handler(context -> adminAccess.handleForm(
                        context,
                        (consoleUser, fields) -> withMember(
                                context,
                                (topic, name) -> AdminAccess.whenComplete(
                                        adminCommandExecutor.removeMember(
                                                AdminAccess.adminCaller(consoleUser), topic.name(), name),
                                        context,
                                        done -> ConsoleResponses.redirect(
                                                context,
                                                AdminSuccessMessage.REMOVED.addTo(AdminPaths.topic(topic.name()))),
                                        problem -> showRefusal(context, consoleUser, topic, problem)))));
        router.get(MEMBER + "/reset")
                .handler(context -> adminAccess.handlePage(
                        context,
                        consoleUser ->
                                withMember(context, (topic, name) -> confirmReset(context, consoleUser, topic, name))));
        router.post(MEMBER + "/reset")
                .handler(context -> adminAccess.handleForm(
                        context,
                        (consoleUser, fields) -> withMember(
                                context,
                                (topic, name) -> AdminAccess.whenComplete(
                                        adminCommandExecutor.resetMember(
                                                AdminAccess.adminCaller(consoleUser), topic.name(), name),
                                        context,
                                        done -> ConsoleResponses.redirect(
                                                context,
                                                AdminSuccessMessage.RESET.addTo(AdminPaths.topic(topic.name()))),
                                        problem -> showRefusal(context, consoleUser, topic, problem)))));
    }

    private void withTopic(RoutingContext context, Consumer<Topic> then) {
        gateway.topic(Objects.requireNonNull(context.pathParam("topic")))
                .ifPresentOrElse(
                        then,
                        () -> ConsoleResponses.refuse(context, 404, "Not found", "There is no topic with this name."));
    }

    private void withMember(RoutingContext context, BiConsumer<Topic, String> then) {
        withTopic(context, topic -> {
            String name = Objects.requireNonNull(context.pathParam("name"));
            if (identityRegistry.snapshot().contains(name)) {
                then.accept(topic, name);
            } else {
                ConsoleResponses.refuse(context, 404, "Not found", "There is no identity with this name.");
            }
        });
    }

    private void showRefusal(RoutingContext context, ConsoleUser consoleUser, Topic topic, HttpProblem problem) {
        show(
                context,
                consoleUser,
                topic,
                problem.status(),
                "",
                Optional.empty(),
                Optional.of("Nothing was changed. " + AdminAccess.sentence(problem)));
    }

    private void show(
            RoutingContext context,
            ConsoleUser consoleUser,
            Topic topic,
            int status,
            String enteredName,
            Optional<String> done,
            Optional<String> complaint) {
        AsyncPageContinuation.whenLoaded(topic.overview(), context, overview -> {
            Set<String> connectedIds =
                    overview.participants().stream().map(Member::id).collect(Collectors.toSet());
            RegistrySnapshot registrySnapshot = identityRegistry.snapshot();
            List<MemberRow> members = topic.members().stream()
                    .map(member -> new MemberRow(
                            IdentityRowBuilder.label(registrySnapshot, member.id()),
                            connectedIds.contains(member.id()),
                            registrySnapshot.hasMembershipOverride(topic.name(), member.id()),
                            registrySnapshot.isOwnParticipant(member.id()),
                            CapabilityTextFormat.format(member.capabilitySet())))
                    .toList();
            Set<String> memberIds = members.stream().map(MemberRow::id).collect(Collectors.toSet());
            List<String> candidates = registrySnapshot.names().stream()
                    .filter(name -> !memberIds.contains(name))
                    .sorted()
                    .toList();
            List<IdentityLabel> removed = candidates.stream()
                    .filter(name -> registrySnapshot
                            .configuredCapabilities(topic.name(), name)
                            .isPresent())
                    .map(name -> IdentityRowBuilder.label(registrySnapshot, name))
                    .toList();
            ConsoleResponses.sendPage(
                    context,
                    status,
                    AdminPageRenderer.topic(
                            new AdminTopicPage(
                                    adminAccess.frame(consoleUser, "Members of " + topic.name()),
                                    topic.name(),
                                    members,
                                    removed,
                                    candidates.size() > MAX_CANDIDATES ? List.of() : candidates,
                                    enteredName,
                                    done,
                                    complaint),
                            clock.instant()));
        });
    }

    private void chooseMember(RoutingContext context, ConsoleUser consoleUser, Topic topic) {
        String name = context.request().getParam("name", "").strip();
        if (identityRegistry.snapshot().contains(name)) {
            ConsoleResponses.redirect(context, AdminPaths.member(topic.name(), name));
            return;
        }
        show(
                context,
                consoleUser,
                topic,
                name.isEmpty() ? 400 : 404,
                name,
                Optional.empty(),
                Optional.of(
                        name.isEmpty()
                                ? "Enter the name of the identity to add."
                                : "There is no identity '" + SafeText.brief(name, 80)
                                        + "'. Check the name, or create the identity first."));
    }

    private void edit(RoutingContext context, ConsoleUser consoleUser, Topic topic, String name) {
        String text = CapabilityPreset.of(context.request().getParam("preset", ""))
                .map(CapabilityPreset::capabilities)
                .orElseGet(() -> topic.member(name)
                        .map(member -> CapabilityTextFormat.format(member.capabilitySet()))
                        .orElse(""));
        showForm(context, consoleUser, topic, name, 200, text, List.of());
    }

    private void showForm(
            RoutingContext context,
            ConsoleUser consoleUser,
            Topic topic,
            String name,
            int status,
            String text,
            List<String> errors) {
        RegistrySnapshot registrySnapshot = identityRegistry.snapshot();
        ConsoleResponses.sendPage(
                context,
                status,
                AdminPageRenderer.member(
                        new MemberCapabilitiesPage(
                                adminAccess.frame(consoleUser, displayName(name) + " in " + topic.name()),
                                topic.name(),
                                name,
                                displayName(name),
                                topic.member(name).isPresent(),
                                registrySnapshot.hasMembershipOverride(topic.name(), name),
                                registrySnapshot
                                        .configuredCapabilities(topic.name(), name)
                                        .map(CapabilityTextFormat::format),
                                text,
                                errors),
                        clock.instant()));
    }

    private void save(RoutingContext context, ConsoleUser consoleUser, Topic topic, String name, FormFields fields) {
        String text = fields.text("capabilities").orElse("");
        List<String> faults = CapabilityTextFormat.validate(text);
        if (!faults.isEmpty()) {
            showForm(context, consoleUser, topic, name, 400, text, faults);
            return;
        }
        byte[] body = Json.object()
                .with("capabilities", CapabilityTextFormat.toJson(text))
                .raw()
                .getBytes(UTF_8);
        AdminAccess.whenComplete(
                adminCommandExecutor.setMember(AdminAccess.adminCaller(consoleUser), topic.name(), name, body),
                context,
                done -> ConsoleResponses.redirect(
                        context, AdminSuccessMessage.SAVED.addTo(AdminPaths.topic(topic.name()))),
                problem -> showForm(
                        context,
                        consoleUser,
                        topic,
                        name,
                        problem.status(),
                        text,
                        List.of(AdminAccess.sentence(problem))));
    }

    private void confirmRemoval(RoutingContext context, ConsoleUser consoleUser, Topic topic, String name) {
        confirm(
                context,
                new ConfirmPage(
                        adminAccess.frame(consoleUser, "Remove " + displayName(name) + "?"),
                        "Remove " + displayName(name) + " from " + topic.name() + "?",
                        "Its connections to the topic are closed immediately, and it can no longer send anything"
                                + " there. You can add it again later.",
                        name.equals(consoleUser.id())
                                ? Optional.of("This is your own identity. You no longer see what is waiting for you in "
                                        + topic.name() + ".")
                                : Optional.empty(),
                        AdminPaths.member(topic.name(), name) + "/remove",
                        List.of(),
                        "Remove",
                        AdminPaths.member(topic.name(), name)));
    }

    private void confirmReset(RoutingContext context, ConsoleUser consoleUser, Topic topic, String name) {
        Optional<String> configured = identityRegistry
                .snapshot()
                .configuredCapabilities(topic.name(), name)
                .map(CapabilityTextFormat::format);
        confirm(
                context,
                new ConfirmPage(
                        adminAccess.frame(consoleUser, "Reset to the configuration?"),
                        "Reset " + displayName(name) + " in " + topic.name() + " to the configuration?",
                        configured
                                .map(text -> "It can then send only: "
                                        + (text.isEmpty() ? "(nothing)" : SafeText.line(text.replace("\n", ", ")))
                                        + ". The change takes effect immediately.")
                                .orElse("The configuration does not list it as a member. It is removed immediately."),
                        Optional.empty(),
                        AdminPaths.member(topic.name(), name) + "/reset",
                        List.of(),
                        "Reset",
                        AdminPaths.member(topic.name(), name)));
    }

    private String displayName(String name) {
        return SafeText.line(identityRegistry.snapshot().displayNames().of(name));
    }

    private void confirm(RoutingContext context, ConfirmPage page) {
        ConsoleResponses.sendPage(context, 200, AdminPageRenderer.confirm(page, clock.instant()));
    }
}
