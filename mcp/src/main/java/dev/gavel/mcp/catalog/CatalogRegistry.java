package dev.gavel.mcp.catalog;

import dev.gavel.gateway.Gateway;
import dev.gavel.gateway.member.Member;
import dev.gavel.gateway.proposal.CallOfferDirectory;
import dev.gavel.gateway.topic.Topic;
import dev.gavel.gateway.topic.TopicListener;
import dev.gavel.mcpx.CapabilitySet;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeDraft;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.SyntaxVersion;
import dev.gavel.mcpx.SystemMessage;
import dev.gavel.mcpx.proposal.EnvelopeIdGenerator;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the current catalog of tools, prompts and resources of every topic and notifies listeners of changes. Nothing
 * of it is kept: whoever comes is asked, and asked again when they say that something has changed. Thread-safe.
 */
public final class CatalogRegistry implements TopicListener, CallOfferDirectory {
    /** The gateway asks in its own name. */
    private static final Member GATEWAY = new Member(
            SystemMessage.GATEWAY, CapabilitySet.compile(List.of("*")).orThrow());

    /** How long a list is waited for while participants are being asked. */
    private static final long LOAD_TIMEOUT_MILLIS = 1_000;

    /** How long it is waited for while bridges are being started that were not seen yet. */
    private static final long STARTUP_LOAD_TIMEOUT_MILLIS = 5_000;

    /** A bridge that has not come by then is not waited for. */
    private static final long EXPECT_TIMEOUT_MILLIS = 30_000;

    private final Gateway gateway;
    private final InstantSource clock;
    private final Map<String, TopicCatalogTracker> trackers = new ConcurrentHashMap<>();
    private final List<BiConsumer<Topic, McpListType>> changeListeners = new CopyOnWriteArrayList<>();

    /**
     * A directory of all topics; whoever makes it has it listen to the gateway.
     *
     * @param expected the ids of those who will come to a topic by themselves, being started
     */
    @SuppressWarnings("FutureReturnValueIgnored") // whoever is still expected then is forgotten
    public CatalogRegistry(Gateway gateway, InstantSource clock, Function<String, Set<String>> expected) {
        this.gateway = gateway;
        this.clock = clock;
        for (Topic topic : gateway.topics()) {
            TopicCatalogTracker topicCatalogTracker =
                    new TopicCatalogTracker(new GatewayTopicContext(topic), expected.apply(topic.name()));
            trackers.put(topic.name(), topicCatalogTracker);
            if (topicCatalogTracker.isExpectingParticipants()) {
                topic.loop().schedule(topicCatalogTracker::stopExpecting, EXPECT_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
            }
        }
    }

    /**
     * Takes note of who is there already, at other processes: they may have been told of before this listened to the
     * gateway, which it does by now.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // it does not fail, and nobody waits for it
    public void start() {
        for (Topic topic : gateway.topics()) {
            TopicCatalogTracker topicCatalogTracker = tracker(topic);
            topic.overview()
                    .thenAcceptAsync(
                            overview -> overview.participants().forEach(topicCatalogTracker::onJoin), topic.loop());
        }
    }

    /** Has somebody told, on the topic's loop, when something on offer has changed. */
    public void addChangeListener(BiConsumer<Topic, McpListType> reader) {
        changeListeners.add(reader);
    }

    /** What the participants of a topic offer now: the same until something changes. */
    public TopicCatalog offers(Topic topic) {
        return tracker(topic).catalog();
    }

    /** Done when those who are being asked have answered, or have had the time to. On the topic's loop. */
    public CompletableFuture<Void> whenLoaded(Topic topic) {
        TopicCatalogTracker topicCatalogTracker = tracker(topic);
        return topicCatalogTracker.whenLoaded(
                topicCatalogTracker.isExpectingParticipants() ? STARTUP_LOAD_TIMEOUT_MILLIS : LOAD_TIMEOUT_MILLIS);
    }

    @Override
    public boolean offers(String topic, String participant, Kind call) {
        TopicCatalogTracker topicCatalogTracker = trackers.get(topic);
        return topicCatalogTracker != null
                && topicCatalogTracker
                        .catalog()
                        .ofParticipant(participant)
                        .filter(participantCatalog -> participantCatalog.offers(call))
                        .isPresent();
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
            throw new IllegalArgumentException("there is no topic '" + topic.name() + "' here");
        }
        return topicCatalogTracker;
    }

    /** A topic around its shelf. */
    private final class GatewayTopicContext implements TopicCatalogTracker.TopicContext {
        private final Topic topic;

        GatewayTopicContext(Topic here) {
            this.topic = here;
        }

        @Override
        public String topic() {
            return topic.name();
        }

        @Override
        public String requestPage(String participant, McpListType what, @Nullable String cursor) {
            return CatalogRegistry.this.requestPage(topic, participant, what, cursor);
        }

        @Override
        public void onListChanged(McpListType what) {
            changeListeners.forEach(reader -> reader.accept(topic, what));
        }

        @Override
        @SuppressWarnings("FutureReturnValueIgnored") // what is no longer of use by then does nothing
        public void schedule(Runnable what, long millis) {
            topic.loop().schedule(what, millis, TimeUnit.MILLISECONDS);
        }
    }

    /** Asks a participant for a list, and gives the id of the question. */
    @SuppressWarnings("FutureReturnValueIgnored") // where it goes nowhere no answer comes, and that is waited out
    private String requestPage(Topic topic, String participant, McpListType what, @Nullable String cursor) {
        String id = EnvelopeIdGenerator.next('d', clock.instant());
        gateway.submitInternal(
                topic,
                GATEWAY,
                EnvelopeDraft.of(id, new Kind("mcp", "request", what.method(), null))
                        .withRecipients(List.of(participant))
                        .encode(SyntaxVersion.CURRENT, json -> {
                            json.writeStartObject();
                            json.writeStringProperty("jsonrpc", "2.0");
                            json.writeStringProperty("id", id);
                            json.writeStringProperty("method", what.method());
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
