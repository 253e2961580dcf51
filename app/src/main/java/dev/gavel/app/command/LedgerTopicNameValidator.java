package dev.gavel.app.command;

import dev.gavel.cli.CommandException;
import dev.gavel.cli.ExitCode;
import dev.gavel.yaml.WordSuggester;
import java.util.List;

/** Complains of a topic that the ledger has never heard of. */
final class LedgerTopicNameValidator {
    private LedgerTopicNameValidator() {}

    static void require(String topic, List<String> topics) {
        if (!topics.contains(topic)) {
            throw new CommandException(
                    ExitCode.USAGE,
                    "nothing was ever written to a topic '" + topic + "'"
                            + WordSuggester.suggest(topic, topics)
                                    .map(near -> "; did you mean '" + near + "'?")
                                    .orElse(topics.isEmpty() ? "" : "; there are " + String.join(", ", topics)));
        }
    }
}
