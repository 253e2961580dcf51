package dev.gavel.app.cli.sep;

import dev.gavel.app.cli.Client;
import dev.gavel.sep.desk.Verb;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Attaches evidence. */
@Command(
        name = "attach",
        description = "Attach evidence to a SEP, for the moves that need it.",
        footer = {
            "  gavel sep attach 1286 prototype=https://example.org/code",
            "  gavel sep attach 1286 'no-prototype=it changes no behaviour'",
            "",
            "Kinds are those of the process, such as prototype, reference-implementation,",
            "conformance, discussion, minutes; 'gavel sep next N' says which are wanted.",
        })
final class AttachCommand extends AboutOneCommand {
    @Parameters(
            index = "1..*",
            arity = "1..*",
            paramLabel = "KIND=VALUE",
            description = "The evidence, such as minutes=https://example.org/minutes.")
    private List<String> evidence = new ArrayList<>();

    AttachCommand() {
        super(Verb.ATTACH);
    }

    @Override
    Asking filled(Asking asking, Client client) {
        return asking.with("evidence", EvidenceWords.read(evidence));
    }
}
