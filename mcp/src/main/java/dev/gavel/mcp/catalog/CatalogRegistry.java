package dev.gavel.mcp.catalog;

import dev.gavel.gateway.Gateway;
import dev.gavel.gateway.member.Member;
import dev.gavel.gateway.proposal.CallOfferDirectory;
import dev.gavel.gateway.tool.ToolDefinition;
import dev.gavel.gateway.tool.ToolDefinitionDirectory;
import dev.gavel.gateway.tool.ToolListState;
import dev.gavel.gateway.topic.Topic;
import dev.gavel.gateway.topic.TopicListener;
import dev.gavel.mcpx.CapabilitySet;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeDraft;
import dev.gavel.mcpx.EnvelopeSyntax;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.SystemMessage;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.proposal.EnvelopeIdGenerator;
import java.time.InstantSource;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the current catalog of tools, prompts and resources of every topic and notifies listeners of changes. The
 * catalogs are not persisted: the registry queries each participant that joins, and again when the participant
 * announces a change. Thread-safe.
 */
public final class CatalogRegistry implements TopicListener, CallOfferDirectory, ToolDefinitionDirectory {
    /** The gateway sends the list requests under its own id. */
    private static final Member GATEWAY = new Member(
            SystemMessage.GATEWAY, CapabilitySet.compile(List.of("*")).orThrow());

    /** How long callers wait for a list while participants are being queried. */
    private static final long LOAD_TIMEOUT_MILLIS = 1_000;

    /** How long callers wait while bridges are starting that have not joined yet. */
    private static final long STARTUP_LOAD_TIMEOUT_MILLIS = 5_000;

    /** How long callers that list something wait at most. Many clients wait only a few seconds when they start. */
    private static final long LIST_TIMEOUT_MILLIS = 1_500;

    /** How long the registry expects a bridge to join. */
    private static final long EXPECT_TIMEOUT_MILLIS = 30_000;

    private final Gateway gateway;
    private final InstantSource clock;
    private final Map<String, TopicCatalogTracker> trackers = new ConcurrentHashMap<>();
    private final List<BiConsumer<Topic, McpListType>> changeListeners = new CopyOnWriteArrayList<>();

    /**
     * Creates a registry of all topics. The caller registers it as a listener of the gateway.
     *
     * @param expectedParticipants returns the ids of the participants that will join a topic by themselves because they are being
     *     started
     */
    @SuppressWarnings("FutureReturnValueIgnored") // the task needs no result
    public CatalogRegistry(Gateway gateway, InstantSource clock, Function<String, Set<String>> expectedParticipants) {
        this.gateway = gateway;
        this.clock = clock;
        for (Topic topic : gateway.topics()) {
            TopicCatalogTracker topicCatalogTracker =
                    new TopicCatalogTracker(new GatewayTopicContext(topic), expectedParticipants.apply(topic.name()));
            trackers.put(topic.name(), topicCatalogTracker);
            if (topicCatalogTracker.isExpectingParticipants()) {
                topic.loop().schedule(topicCatalogTracker::stopExpecting, EXPECT_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
            }
        }
    }

    /**
     * Records the participants that are already connected to other processes. They may have been announced before this
     * registry was registered with the gateway; it must be registered by now.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // it does not fail, and no caller waits for it
    public void start() {
        for (Topic topic : gateway.topics()) {
            TopicCatalogTracker topicCatalogTracker = tracker(topic);
            topic.overview()
                    .thenAcceptAsync(
                            overview -> overview.participants().forEach(topicCatalogTracker::onJoin), topic.loop());
        }
    }

    /** Adds a listener that is called on the topic's loop when a list has changed. */
    public void addChangeListener(BiConsumer<Topic, McpListType> listener) {
        changeListeners.add(listener);
    }

    /** Returns what the participants of a topic offer now. The same instance is returned until something changes. */
    public TopicCatalog offers(Topic topic) {
        return tracker(topic).catalog();
    }

    /** Completes when all queried participants have responded or timed out. Must be called on the topic's loop. */
    public CompletableFuture<Void> whenLoaded(Topic topic) {
        TopicCatalogTracker topicCatalogTracker = tracker(topic);
        return topicCatalogTracker.whenLoaded(
                topicCatalogTracker.isExpectingParticipants() ? STARTUP_LOAD_TIMEOUT_MILLIS : LOAD_TIMEOUT_MILLIS);
    }

    /**
     * Completes like {@link #whenLoaded}, but does not wait long for bridges that are starting. Change listeners are
     * called when these have listed what they offer. Must be called on the topic's loop.
     */
    public CompletableFuture<Void> whenListable(Topic topic) {
        TopicCatalogTracker topicCatalogTracker = tracker(topic);
        return topicCatalogTracker.whenLoaded(
                topicCatalogTracker.isExpectingParticipants() ? LIST_TIMEOUT_MILLIS : LOAD_TIMEOUT_MILLIS);
    }

    @Override
    public boolean offers(String topic, String participant, Kind call) {
        TopicCatalogTracker topicCatalogTracker = trackers.get(topic);
        return topicCatalogTracker != null
                && topicCatalogTracker
                        .catalog()
                        .findParticipant(participant)
                        .filter(participantCatalog -> participantCatalog.offers(call))
                        .isPresent();
    }

    @Override
    public Optional<ToolDefinition> find(String topic, String participant, String tool) {
        return catalog(topic).findParticipant(participant).flatMap(catalog -> catalog.findTool(tool));
    }

    @Override
    public Optional<ToolDefinition> findPrompt(String topic, String participant, String prompt) {
        return catalog(topic)
                .findParticipant(participant)
                .flatMap(catalog ->
                        Optional.ofNullable(catalog.list(McpListType.PROMPTS).get(prompt)))
                .filter(entry -> entry.at("arguments").type() == Json.Type.ARRAY)
                .map(entry -> ToolDefinition.ofPrompt(participant, prompt, entry));
    }

    @Override
    public List<ToolDefinition> findAll(String topic) {
        return catalog(topic).all().stream()
                .flatMap(catalog -> catalog.tools().stream())
                .toList();
    }

    @Override
    public List<ToolDefinition> findLatest(String topic, String tool) {
        TopicCatalogTracker topicCatalogTracker = trackers.get(topic);
        if (topicCatalogTracker == null) {
            return List.of();
        }
        Map<String, ToolDefinition> byParticipant = new LinkedHashMap<>();
        topicCatalogTracker
                .lastListedTools()
                .find(tool)
                .forEach(definition -> byParticipant.put(definition.participant(), definition));
        topicCatalogTracker
                .catalog()
                .all()
                .forEach(catalog -> catalog.findTool(tool)
                        .ifPresent(definition -> byParticipant.put(definition.participant(), definition)));
        return List.copyOf(byParticipant.values());
    }

    @Override
    public ToolListState listState(String topic, String participant) {
        TopicCatalogTracker topicCatalogTracker = trackers.get(topic);
        return topicCatalogTracker == null ? ToolListState.CURRENT : topicCatalogTracker.toolListState(participant);
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the nested future is composed into the returned one
    public CompletionStage<Void> awaitRefetch(String topic, Collection<String> participants) {
        return gateway.topic(topic)
                .map(found -> CompletableFuture.completedFuture(found)
                        .thenComposeAsync(each -> tracker(each).awaitRefetch(participants), found.loop()))
                .orElseGet(() -> CompletableFuture.completedFuture(null));
    }

    @Override
    public boolean isLoaded(String topic, String participant) {
        return catalog(topic)
                .findParticipant(participant)
                .filter(catalog -> catalog.isLoaded(McpListType.TOOLS))
                .isPresent();
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the nested future is composed into the returned one
    public CompletionStage<Void> load(String topic) {
        return gateway.topic(topic)
                .map(found -> CompletableFuture.completedFuture(found).thenComposeAsync(this::whenLoaded, found.loop()))
                .orElseGet(() -> CompletableFuture.completedFuture(null));
    }

    private TopicCatalog catalog(String topic) {
        TopicCatalogTracker topicCatalogTracker = trackers.get(topic);
        return topicCatalogTracker == null ? TopicCatalog.EMPTY : topicCatalogTracker.catalog();
    }

    @Override
    public void onParticipantJoined(Topic topic, Member member) {
        tracker(topic).onJoin(member);
    }

    @Override
    public void onParticipantLeft(Topic topic, Member member) {
        tracker(topic).onLeave(member);
    }

    @Override
    public void onMemberChanged(Topic topic, Member member) {
        tracker(topic).onMemberChanged(member);
    }

    @Override
    public void onEnvelope(Topic topic, String from, Envelope envelope) {
        tracker(topic).onEnvelope(from, envelope);
    }

    private TopicCatalogTracker tracker(Topic topic) {
        TopicCatalogTracker topicCatalogTracker = trackers.get(topic.name());
        if (topicCatalogTracker == null) {
            throw new IllegalArgumentException("unknown topic '" + topic.name() + "'");
        }
        return topicCatalogTracker;
    }

    /** The context of a topic's tracker, backed by the gateway. */
    private final class GatewayTopicContext implements TopicCatalogTracker.TopicContext {
        private final Topic topic;

        GatewayTopicContext(Topic topic) {
            this.topic = topic;
        }

        @Override
        public String topic() {
            return topic.name();
        }

        @Override
        public String requestPage(String participant, McpListType listType, @Nullable String cursor) {
            return CatalogRegistry.this.requestPage(topic, participant, listType, cursor);
        }

        @Override
        public void onListChanged(McpListType listType) {
            changeListeners.forEach(listener -> listener.accept(topic, listType));
        }

        @Override
        @SuppressWarnings("FutureReturnValueIgnored") // tasks that are obsolete by then do nothing
        public void schedule(Runnable listType, long millis) {
            topic.loop().schedule(listType, millis, TimeUnit.MILLISECONDS);
        }
    }

    /** Requests a page of a list from a participant and returns the id of the request. */
    @SuppressWarnings("FutureReturnValueIgnored") // if it fails there is no response, which the timeout handles
    private String requestPage(Topic topic, String participant, McpListType listType, @Nullable String cursor) {
        String id = EnvelopeIdGenerator.next('d', clock.instant());
        gateway.submitInternal(
                topic,
                GATEWAY,
                EnvelopeDraft.of(id, new Kind("mcp", "request", listType.method(), null))
                        .withRecipients(List.of(participant))
                        .encode(EnvelopeSyntax.CURRENT, json -> {
                            json.writeStartObject();
                            json.writeStringProperty("jsonrpc", "2.0");
                            json.writeStringProperty("id", id);
                            json.writeStringProperty("method", listType.method());
                            if (cursor != null) {
                                json.writeObjectPropertyStart("params");
                                json.writeStringProperty("cursor", cursor);
                                json.writeEndObject();
                            }
                            json.writeEndObject();
                        }));
        return id;
    }
}
