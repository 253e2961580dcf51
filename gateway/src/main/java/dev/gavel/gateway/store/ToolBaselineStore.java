package dev.gavel.gateway.store;

import dev.gavel.gateway.tool.RecordedToolDefinition;
import dev.gavel.gateway.tool.ToolDefinition;
import dev.gavel.ledger.LedgerBody;
import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.LedgerException;
import dev.gavel.ledger.LedgerReader;
import dev.gavel.ledger.StreamReadResult;
import dev.gavel.ledger.writer.LedgerWriter;
import dev.gavel.ledger.writer.TaskDecision;
import dev.gavel.ledger.writer.WriteResult;
import dev.gavel.ledger.writer.WriterTaskContext;
import dev.gavel.mcpx.SystemMessage;
import dev.gavel.mcpx.json.Json;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores the baseline with which the gateway compares each tool of a topic: the definition that a person approved last
 * or, if no person approved the tool yet, the definition at its first direct call. The definitions are in a ledger
 * stream of their own, which has one event for each change, and in memory. Thread-safe.
 */
public final class ToolBaselineStore {
    private static final Logger log = LoggerFactory.getLogger(ToolBaselineStore.class);

    private static final String STREAM_PREFIX = "system:tools:";
    private static final String APPROVED = "tool_approved";
    private static final String FIRST_USED = "tool_first_used";
    private static final int READ_BATCH = 500;

    private final String stream;
    private final @Nullable LedgerWriter writer;
    private final @Nullable LedgerReader ledger;
    private final Map<ToolKey, ToolBaseline> baselines = new ConcurrentHashMap<>();

    private volatile long loadedSeq;

    private record ToolKey(String participant, String tool) {}

    /**
     * The definition to which later ones are compared.
     *
     * @param approved whether a person approved a call of the tool with this definition
     */
    public record ToolBaseline(RecordedToolDefinition definition, boolean approved) {}

    ToolBaselineStore(String topic, LedgerWriter writer, LedgerReader ledger) {
        this.stream = stream(topic);
        this.writer = writer;
        this.ledger = ledger;
    }

    private ToolBaselineStore() {
        this.stream = "";
        this.writer = null;
        this.ledger = null;
    }

    /** Creates a store that forgets everything when the process ends, for a topic without a ledger. */
    public static ToolBaselineStore inMemory() {
        return new ToolBaselineStore();
    }

    /** Returns the stream with a topic's definitions. */
    public static String stream(String topic) {
        return STREAM_PREFIX + topic;
    }

    /** Whether a stream of the ledger has tool definitions. */
    public static boolean ownsStream(String stream) {
        return stream.startsWith(STREAM_PREFIX);
    }

    /** Whether the stream has events that were not read yet, up to a seq. */
    public boolean isBehind(long seq) {
        return loadedSeq < seq;
    }

    /** Reads what any process wrote since the last call. Blocks on the ledger. */
    public synchronized void load() {
        if (ledger == null) {
            return;
        }
        List<LedgerEvent> events;
        do {
            events = switch (ledger.eventsAfter(stream, loadedSeq, READ_BATCH)) {
                case StreamReadResult.Events(List<LedgerEvent> next) -> next;
                case StreamReadResult.Resync _ ->
                    throw new LedgerException("the first events of stream '" + stream + "' are missing");
            };
            for (LedgerEvent event : events) {
                apply(event);
                loadedSeq = event.seq();
            }
        } while (!events.isEmpty());
    }

    private void apply(LedgerEvent event) {
        Json body = Json.parse(event.body().toString()).orElseGet(Json::object);
        Json definition = body.at("definition");
        put(
                body.at("tool").text(),
                new ToolBaseline(
                        new RecordedToolDefinition(
                                body.at("participant").text(),
                                body.at("digest").text(),
                                definition.isPresent() ? ToolDefinition.parse(definition.raw()) : Optional.empty()),
                        event.type().equals(APPROVED)));
    }

    private void put(String tool, ToolBaseline baseline) {
        ToolKey key = new ToolKey(baseline.definition().participant(), tool);
        baselines.merge(key, baseline, (before, after) -> before.approved() && !after.approved() ? before : after);
    }

    /** Returns the definition to which a participant's current one is compared. Does not block. */
    public Optional<ToolBaseline> find(String participant, String tool) {
        return Optional.ofNullable(baselines.get(new ToolKey(participant, tool)));
    }

    /** Returns the baselines of a tool at all participants. Does not block. */
    public List<RecordedToolDefinition> findAll(String tool) {
        return baselines.entrySet().stream()
                .filter(entry -> entry.getKey().tool().equals(tool))
                .map(entry -> entry.getValue().definition())
                .toList();
    }

    /** Records that a person approved a call of a tool with this definition. */
    public void recordApproved(RecordedToolDefinition definition, String tool, String reviewer, String proposal) {
        ToolBaseline baseline = new ToolBaseline(definition, true);
        if (!find(definition.participant(), tool).filter(baseline::equals).isPresent()) {
            put(tool, baseline);
            append(tool, baseline, reviewer, proposal);
        }
    }

    /** Records the definition with which a tool is first called, unless one is recorded. */
    public void recordFirstUse(ToolDefinition definition) {
        ToolBaseline baseline = new ToolBaseline(RecordedToolDefinition.of(definition), false);
        if (baselines.putIfAbsent(new ToolKey(definition.participant(), definition.name()), baseline) == null) {
            append(definition.name(), baseline, SystemMessage.GATEWAY, null);
        }
    }

    private void append(String tool, ToolBaseline baseline, String actor, @Nullable String proposal) {
        if (writer == null) {
            return;
        }
        String subject = baseline.definition().participant() + "/" + tool;
        String type = baseline.approved() ? APPROVED : FIRST_USED;
        writer.submit(
                stream,
                writerTaskContext -> decide(writerTaskContext, subject, type, tool, baseline, actor, proposal),
                result -> {
                    if (!(result instanceof WriteResult.Written<?>)) {
                        // Until the next approval, the tool counts as changed in other processes and after a restart.
                        log.atWarn()
                                .addKeyValue("stream", stream)
                                .addKeyValue("tool", subject)
                                .log("The definition of a tool could not be recorded.");
                    }
                });
    }

    private static TaskDecision<Boolean> decide(
            WriterTaskContext writerTaskContext,
            String subject,
            String type,
            String tool,
            ToolBaseline baseline,
            String actor,
            @Nullable String proposal) {
        List<LedgerEvent> history = writerTaskContext.history(subject);
        if (!baseline.approved() && !history.isEmpty()) {
            return TaskDecision.withoutEvents(false);
        }
        LedgerEvent event = writerTaskContext.createEvent(
                subject, type, actor, null, LedgerBody.of(encode(tool, baseline, proposal)));
        return TaskDecision.ofEvent(
                true,
                event,
                ToolBaselineProjector.summary(
                        history.isEmpty() ? event.at() : history.getFirst().at(), event));
    }

    private static String encode(String tool, ToolBaseline baseline, @Nullable String proposal) {
        return Json.write(json -> {
                    json.writeStartObject();
                    json.writeStringProperty(
                            "participant", baseline.definition().participant());
                    json.writeStringProperty("tool", tool);
                    json.writeStringProperty("digest", baseline.definition().digest());
                    if (proposal != null) {
                        json.writeStringProperty("proposal", proposal);
                    }
                    baseline.definition().definition().ifPresent(definition -> {
                        json.writeName("definition");
                        json.writeRawValue(definition.canonical());
                    });
                    json.writeEndObject();
                })
                .raw();
    }
}
