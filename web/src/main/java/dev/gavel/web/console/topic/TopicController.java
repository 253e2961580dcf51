package dev.gavel.web.console.topic;

import dev.gavel.gateway.Gateway;
import dev.gavel.gateway.member.Member;
import dev.gavel.gateway.proposal.ProposalState;
import dev.gavel.gateway.routing.SubmitResult;
import dev.gavel.gateway.store.ProposalPage;
import dev.gavel.gateway.store.RecentProposalEvent;
import dev.gavel.gateway.topic.ProposalQueries;
import dev.gavel.gateway.topic.Topic;
import dev.gavel.mcp.catalog.CatalogRegistry;
import dev.gavel.mcp.catalog.McpListType;
import dev.gavel.mcp.catalog.TopicCatalog;
import dev.gavel.mcpx.EnvelopeDraft;
import dev.gavel.mcpx.EnvelopeSyntax;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.SystemMessage.Failure;
import dev.gavel.mcpx.proposal.EnvelopeIdGenerator;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.web.console.live.ChangeFeed.ChangeSubject;
import dev.gavel.web.console.live.LiveUpdateEndpoint;
import dev.gavel.web.console.live.LiveUpdateSource;
import dev.gavel.web.console.live.PageReloadUpdateSource;
import dev.gavel.web.console.page.PageLayoutData;
import dev.gavel.web.console.session.AsyncPageContinuation;
import dev.gavel.web.console.session.ConsoleRequestGuard;
import dev.gavel.web.console.session.ConsoleResponses;
import dev.gavel.web.console.session.ConsoleUser;
import dev.gavel.web.console.session.FormFields;
import dev.gavel.web.identity.Identity;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Serves the pages on which users follow topics, list their proposals and chat. Thread-safe. */
public final class TopicController {
    private static final String TOPIC = TopicPaths.TOPICS + "/:topic";

    /** Not below the path of the topics, because a topic could be called 'live'. */
    private static final String LIVE = "/console/live/topics";

    private static final Kind CHAT = Kind.of("chat.message");

    private static final int PAGE_SIZE = 50;

    private static final String NO_SUCH_TOPIC = "This topic does not exist, or you are not a member of it.";

    private final ConsoleRequestGuard guard;
    private final Gateway gateway;
    private final CatalogRegistry catalogRegistry;
    private final LiveUpdateEndpoint liveUpdateEndpoint;
    private final InstantSource clock;
    private final UnrecordedActivityBuffer unrecordedActivityBuffer;

    public TopicController(
            ConsoleRequestGuard guard,
            Gateway gateway,
            CatalogRegistry catalogRegistry,
            LiveUpdateEndpoint liveUpdateEndpoint,
            InstantSource clock) {
        this.guard = guard;
        this.gateway = gateway;
        this.catalogRegistry = catalogRegistry;
        this.liveUpdateEndpoint = liveUpdateEndpoint;
        this.clock = clock;
        this.unrecordedActivityBuffer = new UnrecordedActivityBuffer(clock);
        gateway.addListener(unrecordedActivityBuffer);
    }

    public void mount(Router router) {
        router.get(LIVE)
                .handler(context -> liveUpdateEndpoint.openStream(
                        context,
                        consoleUser -> new PageReloadUpdateSource(changeSubject -> topicOf(changeSubject)
                                .filter(topic -> maySee(topic, consoleUser))
                                .isPresent())));
        router.get(LIVE + "/:topic").handler(this::openStream);
        router.get(TopicPaths.TOPICS)
                .handler(context -> guard.handlePage(context, consoleUser -> list(context, consoleUser)));
        router.get(TOPIC)
                .handler(context -> guard.handlePage(
                        context,
                        consoleUser -> withTopic(
                                context,
                                consoleUser,
                                topicView ->
                                        show(context, consoleUser, topicView, 200, TopicActivityPage.ChatForm.EMPTY))));
        router.get(TOPIC + "/proposals")
                .handler(context -> guard.handlePage(
                        context,
                        consoleUser -> withTopic(
                                context, consoleUser, topicView -> proposals(context, consoleUser, topicView))));
        router.post(TOPIC + "/chat")
                .handler(context -> guard.handleForm(
                        context,
                        (consoleUser, fields) -> withTopic(
                                context, consoleUser, topicView -> postChat(context, consoleUser, topicView, fields))));
    }

    /** A topic for a user who is a member, or for an admin who is not a member and sees only the member list. */
    private record TopicView(Topic topic, Optional<Member> member) {}

    private Optional<TopicView> findTopic(RoutingContext context, ConsoleUser consoleUser) {
        return gateway.topic(Objects.requireNonNull(context.pathParam("topic")))
                .map(topic -> new TopicView(topic, topic.member(consoleUser.id())))
                .filter(topicView -> maySee(topicView.topic(), consoleUser));
    }

    private void withTopic(RoutingContext context, ConsoleUser consoleUser, Consumer<TopicView> then) {
        findTopic(context, consoleUser)
                .ifPresentOrElse(then, () -> ConsoleResponses.refuse(context, 404, "Not found", NO_SUCH_TOPIC));
    }

    /** Returns the topic that a change concerns, if any. */
    private static Optional<Topic> topicOf(ChangeSubject changeSubject) {
        return switch (changeSubject) {
            case ChangeSubject.Proposal(Topic topic, String _) -> Optional.of(topic);
            case ChangeSubject.Presence(Topic topic) -> Optional.of(topic);
            case ChangeSubject.Rights(Topic topic, String _) -> Optional.of(topic);
            default -> Optional.empty();
        };
    }

    private void openStream(RoutingContext context) {
        String name = Objects.requireNonNull(context.pathParam("topic"));
        boolean whole = context.request().getParam("seq") != null;
        liveUpdateEndpoint.openStream(
                context,
                consoleUser -> findTopic(context, consoleUser)
                        .filter(topicView -> whole && topicView.member().isPresent())
                        .<LiveUpdateSource<?>>map(topicView -> new TopicUpdateSource(
                                topicView.topic(),
                                consoleUser,
                                unrecordedActivityBuffer,
                                clock,
                                number(context.request().getParam("seq", "0")),
                                context.request().getParam("heard", "")))
                        .orElseGet(() -> new PageReloadUpdateSource(changeSubject -> topicOf(changeSubject)
                                .filter(topic -> topic.name().equals(name) && maySee(topic, consoleUser))
                                .isPresent())));
    }

    private static boolean maySee(Topic topic, ConsoleUser consoleUser) {
        return topic.member(consoleUser.id()).isPresent() || consoleUser.isAdmin();
    }

    private static long number(String text) {
        return text.matches("\\d{1,18}") ? Long.parseLong(text) : 0;
    }

    private void list(RoutingContext context, ConsoleUser consoleUser) {
        String mark = liveUpdateEndpoint.mark();
        List<CompletableFuture<TopicListPage.TopicRow>> pending = gateway.topics().stream()
                .filter(topic -> maySee(topic, consoleUser))
                .map(topic -> entry(topic, consoleUser))
                .toList();
        AsyncPageContinuation.whenLoaded(
                CompletableFuture.allOf(pending.toArray(CompletableFuture[]::new)),
                context,
                all -> ConsoleResponses.sendPage(
                        context,
                        200,
                        TopicPageRenderer.topics(new TopicListPage(
                                consoleUser
                                        .frame("Topics", PageLayoutData.Section.TOPICS)
                                        .live(LIVE, mark),
                                pending.stream().map(CompletableFuture::join).toList()))));
    }

    /** The overview as the user may see it: admins see the number of all open proposals. */
    private static CompletionStage<Topic.Overview> overview(Topic topic, ConsoleUser consoleUser) {
        return consoleUser.identity().roles().contains(Identity.ADMIN)
                ? topic.overview()
                : topic.overviewFor(consoleUser.id());
    }

    private static CompletableFuture<TopicListPage.TopicRow> entry(Topic topic, ConsoleUser consoleUser) {
        return overview(topic, consoleUser)
                .thenApply(now -> new TopicListPage.TopicRow(
                        topic.name(),
                        now.participants().stream()
                                .map(Member::id)
                                .sorted()
                                .map(topic.memberNames()::of)
                                .map(SafeText::line)
                                .toList(),
                        topic.members().size(),
                        topic.proposalQueries().map(proposalQueries -> now.openProposals()),
                        topic.member(consoleUser.id())
                                .map(member -> CapabilityLabel.of(member.capabilitySet()))
                                .orElse(List.of())))
                .toCompletableFuture();
    }

    /** The data of a topic's page, with the last ledger sequence number that it includes. */
    private record TopicContent(
            Topic.Overview overview,
            List<RecentProposalEvent> proposalEvents,
            UnrecordedActivityBuffer.ActivityBatch unrecorded) {
        long seq() {
            return proposalEvents.isEmpty()
                    ? overview.seq()
                    : proposalEvents.getLast().seq();
        }
    }

    private void show(
            RoutingContext context,
            ConsoleUser consoleUser,
            TopicView topicView,
            int status,
            TopicActivityPage.ChatForm chatForm) {
        Topic topic = topicView.topic();
        // Taken before any data is read, so that the page later receives the changes made meanwhile.
        String mark = liveUpdateEndpoint.mark();
        requestTools(topic);
        ActivityFilter filter = ActivityFilter.parse(
                context.request().getParam("show", ""), context.request().getParam("who", ""));
        AsyncPageContinuation.whenLoaded(loadContent(topicView, consoleUser), context, topicContent -> {
            Optional<TopicActivityPage.MemberContent> memberContent = topicView
                    .member()
                    .map(member -> new TopicActivityPage.MemberContent(
                            filter,
                            rows(topic, topicContent, filter, consoleUser),
                            member.capabilitySet().admitsKind(CHAT) ? Optional.of(chatForm) : Optional.empty()));
            String query = memberContent.isPresent()
                    ? "?seq=" + topicContent.seq() + "&heard="
                            + topicContent.unrecorded().mark()
                    : "";
            ConsoleResponses.sendPage(
                    context,
                    status,
                    TopicPageRenderer.topic(
                            new TopicActivityPage(
                                    consoleUser
                                            .frame(topic.name(), PageLayoutData.Section.TOPICS)
                                            .live(LIVE + "/" + TopicPaths.encode(topic.name()) + query, mark),
                                    topic.name(),
                                    members(topic, topicContent.overview(), consoleUser),
                                    topic.proposalQueries()
                                            .map(proposalQueries ->
                                                    topicContent.overview().openProposals()),
                                    memberContent),
                            clock.instant()));
        });
    }

    private CompletableFuture<TopicContent> loadContent(TopicView topicView, ConsoleUser consoleUser) {
        UnrecordedActivityBuffer.ActivityBatch activityBatch =
                unrecordedActivityBuffer.after(topicView.topic(), "", consoleUser.id());
        CompletableFuture<List<RecentProposalEvent>> steps = topicView
                .topic()
                .proposalQueries()
                .flatMap(proposalQueries -> topicView
                        .member()
                        .map(member -> proposalQueries.recentEvents(member, 0, TopicActivityPage.MAX_PROPOSAL_EVENTS)))
                .orElseGet(() -> CompletableFuture.completedFuture(List.of()));
        return overview(topicView.topic(), consoleUser)
                .thenCombine(steps, (now, read) -> new TopicContent(now, read, activityBatch))
                .toCompletableFuture();
    }

    /** Requests the tool lists of the topic's participants, once. The page is updated when they answer. */
    @SuppressWarnings("FutureReturnValueIgnored") // this method does not wait for it
    private void requestTools(Topic topic) {
        topic.loop().execute(() -> catalogRegistry.whenLoaded(topic));
    }

    private static List<ActivityRow> rows(
            Topic topic, TopicContent topicContent, ActivityFilter filter, ConsoleUser consoleUser) {
        return Stream.concat(
                        TopicUpdateSource.rows(topic, topicContent.proposalEvents(), consoleUser.id()).stream(),
                        topicContent.unrecorded().rows().stream())
                .filter(row -> row.replacedId().isEmpty() && filter.matches(row))
                .sorted(Comparator.comparing(ActivityRow::at))
                .toList()
                .reversed();
    }

    private List<TopicMemberView> members(Topic topic, Topic.Overview now, ConsoleUser consoleUser) {
        Set<String> connectedIds = now.participants().stream().map(Member::id).collect(Collectors.toSet());
        TopicCatalog offers = catalogRegistry.offers(topic);
        return TopicMemberViewFactory.create(
                topic.members(),
                topic.memberNames(),
                connectedIds,
                id -> offers.findParticipant(id)
                        .map(participantCatalog -> participantCatalog.list(McpListType.TOOLS))
                        .orElse(Map.of()),
                consoleUser.id());
    }

    private void proposals(RoutingContext context, ConsoleUser consoleUser, TopicView topicView) {
        Optional<ProposalQueries> proposalQueries =
                topicView.member().flatMap(member -> topicView.topic().proposalQueries());
        if (proposalQueries.isEmpty()) {
            ConsoleResponses.refuse(
                    context,
                    404,
                    "Not found",
                    topicView.member().isPresent()
                            ? "This topic has no ledger, so its proposals are not recorded."
                            : NO_SUCH_TOPIC);
            return;
        }
        String mark = liveUpdateEndpoint.mark();
        Optional<ProposalState> state = Arrays.stream(ProposalState.values())
                .filter(each -> each.label().equals(context.request().getParam("state")))
                .findFirst();
        Optional<String> from = parameter(context, "from");
        Optional<String> cursor = parameter(context, "cursor");
        String name = topicView.topic().name();
        CompletableFuture<Optional<ProposalListPage>> pending = proposalQueries
                .get()
                .list(topicView.member().orElseThrow(), state, from, cursor, PAGE_SIZE)
                .thenApply(found -> found.map(proposalPage -> new ProposalListPage(
                        consoleUser
                                .frame("Proposals in " + name, PageLayoutData.Section.TOPICS)
                                .live(LIVE + "/" + TopicPaths.encode(name), mark),
                        name,
                        state,
                        from,
                        entries(name, proposalPage, consoleUser),
                        cursor.isEmpty(),
                        proposalPage.nextCursor())));
        AsyncPageContinuation.whenLoaded(
                pending,
                context,
                found -> found.ifPresentOrElse(
                        page -> ConsoleResponses.sendPage(
                                context, 200, TopicPageRenderer.proposals(page, clock.instant())),
                        // The cursor is not valid, so the list starts from the beginning.
                        () -> ConsoleResponses.redirect(context, TopicPaths.proposals(name))));
    }

    private static Optional<String> parameter(RoutingContext context, String name) {
        return Optional.ofNullable(context.request().getParam(name)).filter(text -> !text.isEmpty());
    }

    private static List<ProposalListPage.ProposalRow> entries(
            String topic, ProposalPage proposalPage, ConsoleUser consoleUser) {
        return proposalPage.proposals().stream()
                .map(view -> ProposalListPage.ProposalRow.of(topic, view, consoleUser.id()))
                .toList();
    }

    private void postChat(RoutingContext context, ConsoleUser consoleUser, TopicView topicView, FormFields fields) {
        if (topicView.member().isEmpty()) {
            ConsoleResponses.refuse(context, 404, "Not found", NO_SUCH_TOPIC);
            return;
        }
        String text = fields.text("text").orElse("").replace("\r\n", "\n");
        if (text.isEmpty()) {
            showChatError(context, consoleUser, topicView, 400, text, "Write a message first.");
            return;
        }
        if (text.length() > TopicActivityPage.MAX_CHAT_LENGTH) {
            showChatError(
                    context,
                    consoleUser,
                    topicView,
                    400,
                    text,
                    "The message is longer than " + TopicActivityPage.MAX_CHAT_LENGTH
                            + " characters. Split it into several messages.");
            return;
        }
        byte[] envelope = EnvelopeDraft.of(EnvelopeIdGenerator.next('c', clock.instant()), CHAT)
                .encode(EnvelopeSyntax.CURRENT, json -> {
                    json.writeStartObject();
                    json.writeStringProperty("text", text);
                    json.writeEndObject();
                });
        AsyncPageContinuation.whenLoaded(
                gateway.submit(topicView.topic(), topicView.member().get(), consoleUser.accessGrant(), envelope),
                context,
                submitResult -> {
                    switch (submitResult) {
                        case SubmitResult.Accepted _ -> showEmptyChat(context, consoleUser, topicView);
                        case SubmitResult.Refused(List<Failure> failures) ->
                            showChatError(
                                    context,
                                    consoleUser,
                                    topicView,
                                    409,
                                    text,
                                    failures.stream()
                                            .map(each -> SafeText.line(each.message()))
                                            .collect(Collectors.joining(" ")));
                    }
                });
    }

    private static void showEmptyChat(RoutingContext context, ConsoleUser consoleUser, TopicView topicView) {
        String name = topicView.topic().name();
        if (ConsoleResponses.isHtmxRequest(context)) {
            ConsoleResponses.sendPage(
                    context, 200, TopicPageRenderer.chat(name, TopicActivityPage.ChatForm.EMPTY, consoleUser.csrf()));
        } else {
            ConsoleResponses.redirect(context, TopicPaths.topic(name));
        }
    }

    private void showChatError(
            RoutingContext context,
            ConsoleUser consoleUser,
            TopicView topicView,
            int status,
            String text,
            String complaint) {
        TopicActivityPage.ChatForm chatForm = new TopicActivityPage.ChatForm(text, Optional.of(complaint));
        if (ConsoleResponses.isHtmxRequest(context)) {
            ConsoleResponses.sendPage(
                    context, status, TopicPageRenderer.chat(topicView.topic().name(), chatForm, consoleUser.csrf()));
        } else {
            show(context, consoleUser, topicView, status, chatForm);
        }
    }
}
