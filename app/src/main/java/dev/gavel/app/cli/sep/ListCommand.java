package dev.gavel.app.cli.sep;

import dev.gavel.app.cli.Client;
import dev.gavel.sep.desk.Verb;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lists proposals. */
@Command(
        name = "list",
        description = "List SEPs, the newest first.",
        footer = {
            "  gavel sep list --open",
            "  gavel sep list --state in-review",
            "  gavel sep list --sponsor alice --json | jq '.seps[].number'",
        })
final class ListCommand extends DeskCommand {
    @Option(names = "--state", paramLabel = "STATE", description = "Only those in this state.")
    private @Nullable String state;

    @Option(names = "--author", paramLabel = "PERSON", description = "Only those of this author.")
    private @Nullable String author;

    @Option(names = "--sponsor", paramLabel = "PERSON", description = "Only those with this sponsor.")
    private @Nullable String sponsor;

    @Option(names = "--type", paramLabel = "TYPE", description = "Only those of this type.")
    private @Nullable String type;

    @Option(names = "--text", paramLabel = "WORDS", description = "Only those with these words in the title.")
    private @Nullable String text;

    @ArgGroup
    private @Nullable Which which;

    @Option(names = "--limit", paramLabel = "COUNT", description = "How many at most.")
    private @Nullable Integer limit;

    @Option(names = "--cursor", paramLabel = "CURSOR", description = "Where an earlier list ended.")
    private @Nullable String cursor;

    /** Those that go on, or those that do not. */
    static final class Which {
        @Option(names = "--open", description = "Only those somebody must act on.")
        private boolean open;

        @Option(names = "--finished", description = "Only those nobody must act on any more.")
        private boolean finished;
    }

    ListCommand() {
        super(Verb.LIST);
    }

    @Override
    Asking asking(Client client) {
        return which == null ? filtered() : filtered().with("open", which.open && !which.finished);
    }

    private Asking filtered() {
        return asking().with("state", state)
                .with("author", author)
                .with("sponsor", sponsor)
                .with("type", type)
                .with("text", text)
                .with("limit", limit)
                .with("cursor", cursor);
    }
}
