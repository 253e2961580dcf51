package dev.gavel.gateway.tool;

import dev.gavel.mcpx.Kind;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.BiPredicate;

/**
 * Looks up the tools that the participants of one topic offer now. Does not block. Thread-safe.
 *
 * @param pinCheck returns whether the setting {@code pin} of a participant stops direct calls of one of its tools now
 */
public record TopicTools(ToolDefinitionDirectory directory, String topic, BiPredicate<String, String> pinCheck) {
    /** A topic in which no tool is known. */
    public static final TopicTools NONE = new TopicTools(ToolDefinitionDirectory.EMPTY, "");

    /** The number of participants whose definitions of one tool are recorded with a proposal. */
    private static final int MAX_RECORDED = 16;

    /** Creates the tools of a topic in which no direct call is stopped. */
    public TopicTools(ToolDefinitionDirectory directory, String topic) {
        this(directory, topic, (participant, tool) -> false);
    }

    /** Returns the same tools with another check of direct calls. */
    public TopicTools withPinCheck(BiPredicate<String, String> check) {
        return new TopicTools(directory, topic, check);
    }

    /** Whether direct calls of a participant's tool are stopped now, because its definition is not the approved one. */
    public boolean stopsDirectCalls(String participant, String tool) {
        return pinCheck.test(participant, tool);
    }

    /** Returns the name of the tool that a request or proposal calls; empty if it calls no tool. */
    public static Optional<String> toolOf(Kind kindWithContext) {
        return "tools/call".equals(kindWithContext.method())
                ? Optional.ofNullable(kindWithContext.context())
                : Optional.empty();
    }

    /**
     * Returns a participant's definition with which the arguments of a call can be checked; empty if it is not known, or
     * if calls of this kind have no arguments.
     */
    public Optional<ToolDefinition> findSchema(String participant, Kind kindWithContext) {
        String name = kindWithContext.context();
        return name == null
                ? Optional.empty()
                : switch (String.valueOf(kindWithContext.method())) {
                    case "tools/call" -> directory.find(topic, participant, name);
                    case "prompts/get" -> directory.findPrompt(topic, participant, name);
                    default -> Optional.empty();
                };
    }

    /** Returns whether calls of this kind have arguments that their definition describes. */
    public static boolean hasArguments(Kind kindWithContext) {
        String method = kindWithContext.method();
        return "tools/call".equals(method) || "prompts/get".equals(method);
    }

    /** Returns a participant's definition of a tool. */
    public Optional<ToolDefinition> find(String participant, String tool) {
        return directory.find(topic, participant, tool);
    }

    /** Returns whether a participant's list of tools is known. */
    public boolean isLoaded(String participant) {
        return directory.isLoaded(topic, participant);
    }

    /** Asks the participants that were not asked yet for their tools; completes within a short time. */
    public CompletionStage<Void> load() {
        return directory.load(topic);
    }

    /** Returns whether a participant's list of tools can be relied on. */
    public ToolListState listState(String participant) {
        return directory.listState(topic, participant);
    }

    /** Waits for the participants among these whose lists are being fetched again; completes within a short time. */
    public CompletionStage<Void> awaitRefetch(Collection<String> participants) {
        return directory.awaitRefetch(topic, participants);
    }

    /** Returns the definitions of a tool by all participants, also by those that listed it earlier. */
    public List<ToolDefinition> findLatest(String tool) {
        return directory.findLatest(topic, tool);
    }

    /** Returns every known tool. */
    public List<ToolDefinition> findAll() {
        return directory.findAll(topic);
    }

    /** Returns the definitions of a tool by all participants that offer it, as the ledger stores them. */
    public List<RecordedToolDefinition> record(String tool) {
        return directory.findAll(topic).stream()
                .filter(definition -> definition.name().equals(tool))
                .limit(MAX_RECORDED)
                .map(RecordedToolDefinition::of)
                .toList();
    }
}
