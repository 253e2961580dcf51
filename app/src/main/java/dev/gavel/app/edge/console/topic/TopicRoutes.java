package dev.gavel.app.edge.console.topic;

import dev.gavel.app.edge.console.live.Live;
import dev.gavel.app.edge.console.live.Newsroom.Matter;
import dev.gavel.app.edge.console.live.Teller;
import dev.gavel.app.edge.console.live.Watch;
import dev.gavel.app.edge.console.session.Fields;
import dev.gavel.app.edge.console.session.Guard;
import dev.gavel.app.edge.console.session.Replies;
import dev.gavel.app.edge.console.session.Visitor;
import dev.gavel.app.edge.console.session.Waiting;
import dev.gavel.console.Frame;
import dev.gavel.console.topic.Ability;
import dev.gavel.console.topic.Filter;
import dev.gavel.console.topic.Paths;
import dev.gavel.console.topic.People;
import dev.gavel.console.topic.ProposalsPage;
import dev.gavel.console.topic.Row;
import dev.gavel.console.topic.TopicMember;
import dev.gavel.console.topic.TopicPage;
import dev.gavel.console.topic.TopicPages;
import dev.gavel.console.topic.TopicsPage;
import dev.gavel.gateway.Gateway;
import dev.gavel.gateway.Member;
import dev.gavel.gateway.Posted;
import dev.gavel.gateway.Records;
import dev.gavel.gateway.Topic;
import dev.gavel.gateway.docket.Happening;
import dev.gavel.gateway.docket.Listing;
import dev.gavel.gateway.proposal.ProposalState;
import dev.gavel.mcp.directory.Assortment;
import dev.gavel.mcp.directory.Directory;
import dev.gavel.mcp.directory.Listed;
import dev.gavel.mcpx.EnvelopeDraft;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.Spelling;
import dev.gavel.mcpx.SystemMessage.Failure;
import dev.gavel.mcpx.draft.EnvelopeIds;
import dev.gavel.mcpx.text.SafeText;
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
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Where people look into topics, and talk there. Thread-safe. */
public final class TopicRoutes {
    private static final String TOPIC = Paths.TOPICS + "/:topic";

    /** Not under the topics themselves: one could be called like that. */
    private static final String LIVE = "/console/live/topics";

    private static final Kind CHAT = Kind.of("chat.message");

    private static final int PROPOSALS = 50;

    private static final String NONE = "There is no such topic, or you are no member of it.";

    private final Guard guard;
    private final Gateway gateway;
    private final Directory directory;
    private final Live live;
    private final InstantSource clock;
    private final Hearsay hearsay;

    public TopicRoutes(Guard guard, Gateway gateway, Directory directory, Live live, InstantSource clock) {
        this.guard = guard;
        this.gateway = gateway;
        this.directory = directory;
        this.live = live;
        this.clock = clock;
        this.hearsay = new Hearsay(clock);
        gateway.listen(hearsay);
    }

    public void mount(Router router) {
        router.get(LIVE)
                .handler(context -> live.listen(
                        context,
                        visitor -> new Watch(matter -> about(matter)
                                .filter(topic -> shown(topic, visitor))
                                .isPresent())));
        router.get(LIVE + "/:topic").handler(this::listen);
        router.get(Paths.TOPICS).handler(context -> guard.page(context, visitor -> list(context, visitor)));
        router.get(TOPIC)
                .handler(context -> guard.page(
                        context,
                        visitor -> find(
                                context, visitor, place -> show(context, visitor, place, 200, TopicPage.Chat.EMPTY))));
        router.get(TOPIC + "/proposals")
                .handler(context -> guard.page(
                        context, visitor -> find(context, visitor, place -> proposals(context, visitor, place))));
        router.post(TOPIC + "/chat")
                .handler(context -> guard.form(
                        context,
                        (visitor, fields) -> find(context, visitor, place -> say(context, visitor, place, fields))));
    }

    /** A topic that somebody asks for: a member, or an admin, who is told who is there. */
    private record Place(Topic topic, Optional<Member> member) {}

    private Optional<Place> place(RoutingContext context, Visitor visitor) {
        return gateway.topic(Objects.requireNonNull(context.pathParam("topic")))
                .map(topic -> new Place(topic, topic.member(visitor.id())))
                .filter(place -> shown(place.topic(), visitor));
    }

    private void find(RoutingContext context, Visitor visitor, Consumer<Place> then) {
        place(context, visitor).ifPresentOrElse(then, () -> Replies.refuse(context, 404, "Not found", NONE));
    }

    /** The topic that something is about, if it is about one. */
    private static Optional<Topic> about(Matter matter) {
        return switch (matter) {
            case Matter.Proposal(Topic topic, String _) -> Optional.of(topic);
            case Matter.Presence(Topic topic) -> Optional.of(topic);
            case Matter.Rights(Topic topic, String _) -> Optional.of(topic);
            default -> Optional.empty();
        };
    }

    private void listen(RoutingContext context) {
        String name = Objects.requireNonNull(context.pathParam("topic"));
        boolean whole = context.request().getParam("seq") != null;
        live.listen(
                context,
                visitor -> place(context, visitor)
                        .filter(place -> whole && place.member().isPresent())
                        .<Teller<?>>map(place -> new TopicTeller(
                                place.topic(),
                                visitor,
                                hearsay,
                                clock,
                                number(context.request().getParam("seq", "0")),
                                context.request().getParam("heard", "")))
                        .orElseGet(() -> new Watch(matter -> about(matter)
                                .filter(topic -> topic.name().equals(name) && shown(topic, visitor))
                                .isPresent())));
    }

    private static boolean shown(Topic topic, Visitor visitor) {
        return topic.member(visitor.id()).isPresent() || visitor.admin();
    }

    private static long number(String text) {
        return text.matches("\\d{1,18}") ? Long.parseLong(text) : 0;
    }

    private void list(RoutingContext context, Visitor visitor) {
        String mark = live.mark();
        List<CompletableFuture<TopicsPage.Entry>> coming = gateway.topics().stream()
                .filter(topic -> shown(topic, visitor))
                .map(topic -> entry(topic, visitor))
                .toList();
        Waiting.on(
                CompletableFuture.allOf(coming.toArray(CompletableFuture[]::new)),
                context,
                all -> Replies.page(
                        context,
                        200,
                        TopicPages.topics(new TopicsPage(
                                visitor.frame("Topics", Frame.Place.TOPICS).live(LIVE, mark),
                                coming.stream().map(CompletableFuture::join).toList()))));
    }

    private static CompletableFuture<TopicsPage.Entry> entry(Topic topic, Visitor visitor) {
        return topic.overview()
                .thenApply(now -> new TopicsPage.Entry(
                        topic.name(),
                        now.participants().stream()
                                .map(Member::id)
                                .sorted()
                                .map(SafeText::line)
                                .toList(),
                        topic.members().size(),
                        topic.records().map(records -> now.open()),
                        topic.member(visitor.id())
                                .map(member -> Ability.of(member.capabilities()))
                                .orElse(List.of())))
                .toCompletableFuture();
    }

    /** What is on a topic's page, and how far it is known. */
    private record Known(Topic.Overview now, List<Happening> steps, Hearsay.Told heard) {
        long seq() {
            return steps.isEmpty() ? now.seq() : steps.getLast().seq();
        }
    }

    private void show(RoutingContext context, Visitor visitor, Place place, int status, TopicPage.Chat chat) {
        Topic topic = place.topic();
        // Before anything is read, so that what happens meanwhile is told afterwards.
        String mark = live.mark();
        ask(topic);
        Filter filter = Filter.read(
                context.request().getParam("show", ""), context.request().getParam("who", ""));
        Waiting.on(known(place, visitor), context, known -> {
            Optional<TopicPage.Inside> inside = place.member()
                    .map(member -> new TopicPage.Inside(
                            filter,
                            rows(topic, known, filter, visitor),
                            member.capabilities().admitsKind(CHAT) ? Optional.of(chat) : Optional.empty()));
            String query = inside.isPresent()
                    ? "?seq=" + known.seq() + "&heard=" + known.heard().mark()
                    : "";
            Replies.page(
                    context,
                    status,
                    TopicPages.topic(
                            new TopicPage(
                                    visitor.frame(topic.name(), Frame.Place.TOPICS)
                                            .live(LIVE + "/" + Paths.part(topic.name()) + query, mark),
                                    topic.name(),
                                    people(topic, known.now(), visitor),
                                    topic.records().map(records -> known.now().open()),
                                    inside),
                            clock.instant()));
        });
    }

    private CompletableFuture<Known> known(Place place, Visitor visitor) {
        Hearsay.Told heard = hearsay.after(place.topic(), "", visitor.id());
        CompletableFuture<List<Happening>> steps = place.topic()
                .records()
                .flatMap(records -> place.member().map(member -> records.lately(member, 0, TopicPage.MOST)))
                .orElseGet(() -> CompletableFuture.completedFuture(List.of()));
        return place.topic()
                .overview()
                .thenCombine(steps, (now, read) -> new Known(now, read, heard))
                .toCompletableFuture();
    }

    /** Has those who serve tools asked for them, once; the page is told when they answer. */
    @SuppressWarnings("FutureReturnValueIgnored") // nobody waits for it here
    private void ask(Topic topic) {
        topic.loop().execute(() -> directory.settled(topic));
    }

    private static List<Row> rows(Topic topic, Known known, Filter filter, Visitor visitor) {
        return Stream.concat(
                        TopicTeller.rows(topic, known.steps(), visitor.id()).stream(), known.heard().rows().stream())
                .filter(row -> row.undoes().isEmpty() && filter.passes(row))
                .sorted(Comparator.comparing(Row::at))
                .toList()
                .reversed();
    }

    private List<TopicMember> people(Topic topic, Topic.Overview now, Visitor visitor) {
        Set<String> here = now.participants().stream().map(Member::id).collect(Collectors.toSet());
        Assortment offers = directory.offers(topic);
        return People.of(
                topic.members(),
                here,
                id -> offers.of(id).map(offer -> offer.of(Listed.TOOLS)).orElse(Map.of()),
                visitor.id());
    }

    private void proposals(RoutingContext context, Visitor visitor, Place place) {
        Optional<Records> records =
                place.member().flatMap(member -> place.topic().records());
        if (records.isEmpty()) {
            Replies.refuse(
                    context,
                    404,
                    "Not found",
                    place.member().isPresent()
                            ? "This topic keeps no ledger, so there is no list of its proposals."
                            : NONE);
            return;
        }
        String mark = live.mark();
        Optional<ProposalState> state = Arrays.stream(ProposalState.values())
                .filter(each -> each.word().equals(context.request().getParam("state")))
                .findFirst();
        Optional<String> from = parameter(context, "from");
        Optional<String> cursor = parameter(context, "cursor");
        String name = place.topic().name();
        CompletableFuture<Optional<ProposalsPage>> coming = records.get()
                .list(place.member().orElseThrow(), state, from, cursor, PROPOSALS)
                .thenApply(found -> found.map(listing -> new ProposalsPage(
                        visitor.frame("Proposals of " + name, Frame.Place.TOPICS)
                                .live(LIVE + "/" + Paths.part(name), mark),
                        name,
                        state,
                        from,
                        entries(name, listing, visitor),
                        cursor.isEmpty(),
                        listing.next())));
        Waiting.on(
                coming,
                context,
                found -> found.ifPresentOrElse(
                        page -> Replies.page(context, 200, TopicPages.proposals(page, clock.instant())),
                        // No list ever ended there: from the beginning, then.
                        () -> Replies.redirect(context, Paths.proposals(name))));
    }

    private static Optional<String> parameter(RoutingContext context, String name) {
        return Optional.ofNullable(context.request().getParam(name)).filter(text -> !text.isEmpty());
    }

    private static List<ProposalsPage.Entry> entries(String topic, Listing listing, Visitor visitor) {
        return listing.proposals().stream()
                .map(view -> ProposalsPage.Entry.of(topic, view, visitor.id()))
                .toList();
    }

    private void say(RoutingContext context, Visitor visitor, Place place, Fields fields) {
        if (place.member().isEmpty()) {
            Replies.refuse(context, 404, "Not found", NONE);
            return;
        }
        String text = fields.text("text").orElse("").replace("\r\n", "\n");
        if (text.isEmpty()) {
            unsaid(context, visitor, place, 400, text, "Write something first.");
            return;
        }
        if (text.length() > TopicPage.LONGEST_TEXT) {
            unsaid(
                    context,
                    visitor,
                    place,
                    400,
                    text,
                    "That is longer than " + TopicPage.LONGEST_TEXT + " characters. Say it in parts.");
            return;
        }
        byte[] envelope = EnvelopeDraft.of(EnvelopeIds.next('c', clock.instant()), CHAT)
                .encode(Spelling.CURRENT, json -> {
                    json.writeStartObject();
                    json.writeStringProperty("text", text);
                    json.writeEndObject();
                });
        Waiting.on(gateway.post(place.topic(), place.member().get(), envelope), context, posted -> {
            switch (posted) {
                case Posted.Taken _ -> said(context, visitor, place);
                case Posted.Refused(List<Failure> failures) ->
                    unsaid(
                            context,
                            visitor,
                            place,
                            409,
                            text,
                            failures.stream()
                                    .map(each -> SafeText.line(each.message()))
                                    .collect(Collectors.joining(" ")));
            }
        });
    }

    private static void said(RoutingContext context, Visitor visitor, Place place) {
        String name = place.topic().name();
        if (Replies.byScript(context)) {
            Replies.page(context, 200, TopicPages.chat(name, TopicPage.Chat.EMPTY, visitor.csrf()));
        } else {
            Replies.redirect(context, Paths.topic(name));
        }
    }

    private void unsaid(
            RoutingContext context, Visitor visitor, Place place, int status, String text, String complaint) {
        TopicPage.Chat chat = new TopicPage.Chat(text, Optional.of(complaint));
        if (Replies.byScript(context)) {
            Replies.page(context, status, TopicPages.chat(place.topic().name(), chat, visitor.csrf()));
        } else {
            show(context, visitor, place, status, chat);
        }
    }
}
