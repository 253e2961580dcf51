package dev.gavel.app.cli;

import dev.gavel.yaml.Nearest;
import java.util.List;

/** Complains of a topic that the ledger has never heard of. */
final class KnownTopic {
    private KnownTopic() {}

    static void require(String topic, List<String> topics) {
        if (!topics.contains(topic)) {
            throw new Complaint(
                    ExitCode.USAGE,
                    "nothing was ever written to a topic '" + topic + "'"
                            + Nearest.to(topic, topics)
                                    .map(near -> "; did you mean '" + near + "'?")
                                    .orElse(topics.isEmpty() ? "" : "; there are " + String.join(", ", topics)));
        }
    }
}
