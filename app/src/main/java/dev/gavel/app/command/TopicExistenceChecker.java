package dev.gavel.app.command;

import dev.gavel.cli.CommandException;
import dev.gavel.cli.ExitCode;
import dev.gavel.yaml.WordSuggester;
import java.util.List;

/**
 * Checks that the ledger contains a given topic; if not, ends the command with an error that suggests a similar name or
 * lists the topics.
 */
final class TopicExistenceChecker {
    private TopicExistenceChecker() {}

    static void require(String topic, List<String> topics) {
        if (!topics.contains(topic)) {
            throw new CommandException(
                    ExitCode.USAGE,
                    "the ledger has no events of a topic '" + topic + "'"
                            + WordSuggester.suggest(topic, topics)
                                    .map(near -> ". Did you mean '" + near + "'?")
                                    .orElse(
                                            topics.isEmpty()
                                                    ? ""
                                                    : ". Its topics are: " + String.join(", ", topics) + "."));
        }
    }
}
