package dev.gavel.mcp.directory;

import dev.gavel.gateway.Gateway;
import dev.gavel.gateway.Listener;
import dev.gavel.gateway.Member;
import dev.gavel.gateway.Topic;
import dev.gavel.gateway.proposal.Offers;
import dev.gavel.mcpx.Capabilities;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeDraft;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.Spelling;
import dev.gavel.mcpx.SystemMessage;
import dev.gavel.mcpx.draft.EnvelopeIds;
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
 * Who in which topic offers which tools, prompts and resources. Nothing of it is kept: whoever comes is asked, and asked
 * again when they say that something has changed. Thread-safe.
 */
public final class Directory implements Listener, Offers {
    /** The gateway asks in its own name. */
    private static final Member GATEWAY =
            new Member(SystemMessage.GATEWAY, Capabilities.compile(List.of("*")).orThrow());

    /** How long a list is waited for while participants are being asked. */
    private static final long PATIENCE_MILLIS = 1_000;

    /** How long it is waited for while bridges are being started that were not seen yet. */
    private static final long STARTING_MILLIS = 5_000;

    /** A bridge that has not come by then is not waited for. */
    private static final long EXPECTED_MILLIS = 30_000;

    private final Gateway gateway;
    private final InstantSource clock;
    private final Map<String, Shelf> shelves = new ConcurrentHashMap<>();
    private final List<BiConsumer<Topic, Listed>> readers = new CopyOnWriteArrayList<>();

    /**
     * A directory of all topics; whoever makes it has it listen to the gateway.
     *
     * @param expected the ids of those who will come to a topic by themselves, being started
     */
    @SuppressWarnings("FutureReturnValueIgnored") // whoever is still expected then is forgotten
    public Directory(Gateway gateway, InstantSource clock, Function<String, Set<String>> expected) {
        this.gateway = gateway;
        this.clock = clock;
        for (Topic topic : gateway.topics()) {
            Shelf shelf = new Shelf(new Here(topic), expected.apply(topic.name()));
            shelves.put(topic.name(), shelf);
            if (shelf.waitsForSomebody()) {
                topic.loop().schedule(shelf::expectNobody, EXPECTED_MILLIS, TimeUnit.MILLISECONDS);
            }
        }
    }

    /**
     * Takes note of who is there already, at other processes: they may have been told of before this listened to the
     * gateway, which it does by now.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // it does not fail, and nobody waits for it
    public void begin() {
        for (Topic topic : gateway.topics()) {
            Shelf shelf = shelf(topic);
            topic.overview().thenAcceptAsync(overview -> overview.participants().forEach(shelf::came), topic.loop());
        }
    }

    /** Has somebody told, on the topic's loop, when something on offer has changed. */
    public void whenChanged(BiConsumer<Topic, Listed> reader) {
        readers.add(reader);
    }

    /** What the participants of a topic offer now: the same until something changes. */
    public Assortment offers(Topic topic) {
        return shelf(topic).offers();
    }

    /** Done when those who are being asked have answered, or have had the time to. On the topic's loop. */
    public CompletableFuture<Void> settled(Topic topic) {
        Shelf shelf = shelf(topic);
        return shelf.settled(shelf.waitsForSomebody() ? STARTING_MILLIS : PATIENCE_MILLIS);
    }

    @Override
    public boolean offers(String topic, String participant, Kind call) {
        Shelf shelf = shelves.get(topic);
        return shelf != null
                && shelf.offers()
                        .of(participant)
                        .filter(offer -> offer.covers(call))
                        .isPresent();
    }

    @Override
    public void came(Topic topic, Member member) {
        shelf(topic).came(member);
    }

    @Override
    public void left(Topic topic, Member member) {
        shelf(topic).left(member);
    }

    @Override
    public void changed(Topic topic, Member member) {
        shelf(topic).changed(member);
    }

    @Override
    public void heard(Topic topic, String from, Envelope envelope) {
        shelf(topic).heard(from, envelope);
    }

    private Shelf shelf(Topic topic) {
        Shelf shelf = shelves.get(topic.name());
        if (shelf == null) {
            throw new IllegalArgumentException("there is no topic '" + topic.name() + "' here");
        }
        return shelf;
    }

    /** A topic around its shelf. */
    private final class Here implements Shelf.Place {
        private final Topic here;

        Here(Topic here) {
            this.here = here;
        }

        @Override
        public String topic() {
            return here.name();
        }

        @Override
        public String ask(String participant, Listed what, @Nullable String cursor) {
            return Directory.this.ask(here, participant, what, cursor);
        }

        @Override
        public void changed(Listed what) {
            readers.forEach(reader -> reader.accept(here, what));
        }

        @Override
        @SuppressWarnings("FutureReturnValueIgnored") // what is no longer of use by then does nothing
        public void later(Runnable what, long millis) {
            here.loop().schedule(what, millis, TimeUnit.MILLISECONDS);
        }
    }

    /** Asks a participant for a list, and gives the id of the question. */
    @SuppressWarnings("FutureReturnValueIgnored") // where it goes nowhere no answer comes, and that is waited out
    private String ask(Topic topic, String participant, Listed what, @Nullable String cursor) {
        String id = EnvelopeIds.next('d', clock.instant());
        gateway.dispatch(
                topic,
                GATEWAY,
                EnvelopeDraft.of(id, new Kind("mcp", "request", what.method(), null))
                        .addressed(List.of(participant))
                        .encode(Spelling.CURRENT, json -> {
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
