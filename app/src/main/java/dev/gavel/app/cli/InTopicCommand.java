package dev.gavel.app.cli;

import dev.gavel.mcpx.Parsed;
import dev.gavel.mcpx.TopicName;
import dev.gavel.mcpx.text.SafeText;
import picocli.CommandLine.Parameters;

/** A command about one topic of a running server. */
abstract class InTopicCommand extends ClientCommand {
    @Parameters(index = "0", paramLabel = "TOPIC", description = "The topic's name.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String topic;

    String topic() {
        return topic;
    }

    @Override
    protected void check() {
        if (TopicName.parse(topic) instanceof Parsed.Invalid<TopicName>(String problem)) {
            throw new Complaint(ExitCode.USAGE, SafeText.line(problem));
        }
    }
}
