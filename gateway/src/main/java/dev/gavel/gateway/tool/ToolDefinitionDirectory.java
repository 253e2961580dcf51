package dev.gavel.gateway.tool;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Looks up the definitions of the tools that the participants of a topic offer now. Lookups do not block and may be
 * made on any thread: they return what is known at that time.
 */
public interface ToolDefinitionDirectory {
    /** A directory without tools. */
    ToolDefinitionDirectory EMPTY = new ToolDefinitionDirectory() {
        @Override
        public Optional<ToolDefinition> find(String topic, String participant, String tool) {
            return Optional.empty();
        }

        @Override
        public List<ToolDefinition> findAll(String topic) {
            return List.of();
        }

        @Override
        public boolean isLoaded(String topic, String participant) {
            return false;
        }

        @Override
        public CompletionStage<Void> load(String topic) {
            return CompletableFuture.completedStage(null);
        }
    };

    /** Returns a participant's definition of a tool; empty if the participant is not known to offer it. */
    Optional<ToolDefinition> find(String topic, String participant, String tool);

    /**
     * Returns a participant's prompt, as a definition whose schema has the prompt's arguments; empty if the participant
     * is not known to list the prompt with its arguments.
     */
    default Optional<ToolDefinition> findPrompt(String topic, String participant, String prompt) {
        return Optional.empty();
    }

    /** Returns every tool that is known to be offered in a topic, ordered by participant. */
    List<ToolDefinition> findAll(String topic);

    /**
     * Returns the definitions of a tool: the current ones and, of participants that do not list the tool now, the last
     * ones that they listed, as far as this process remembers them.
     */
    default List<ToolDefinition> findLatest(String topic, String tool) {
        return findAll(topic).stream()
                .filter(definition -> definition.name().equals(tool))
                .toList();
    }

    /** Returns whether a participant's list of tools can be relied on, as far as the list is known at all. */
    default ToolListState listState(String topic, String participant) {
        return ToolListState.CURRENT;
    }

    /**
     * Waits until none of these participants is {@link ToolListState#REFETCHING}, which takes a few seconds at most.
     * Asks participants again that are {@link ToolListState#OVERDUE}, but does not wait for them.
     */
    default CompletionStage<Void> awaitRefetch(String topic, Collection<String> participants) {
        return CompletableFuture.completedStage(null);
    }

    /** Returns whether a participant's list of tools is known, so that a tool that it does not contain is not offered. */
    boolean isLoaded(String topic, String participant);

    /**
     * Asks the participants of a topic that were not asked yet for their tools. Completes when they have answered, or
     * after a short time.
     */
    CompletionStage<Void> load(String topic);
}
