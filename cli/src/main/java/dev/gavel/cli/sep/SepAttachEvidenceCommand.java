package dev.gavel.cli.sep;

import dev.gavel.cli.ClientCommandContext;
import dev.gavel.sep.service.SepOperation;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The {@code gavel sep attach} command: attaches evidence to a SEP. */
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
final class SepAttachEvidenceCommand extends SingleSepCommand {
    @Parameters(
            index = "1..*",
            arity = "1..*",
            paramLabel = "KIND=VALUE",
            description = "The evidence, such as minutes=https://example.org/minutes.")
    private List<String> evidence = new ArrayList<>();

    SepAttachEvidenceCommand() {
        super(SepOperation.ATTACH);
    }

    @Override
    SepApiRequest withArguments(SepApiRequest sepApiRequest, ClientCommandContext clientCommandContext) {
        return sepApiRequest.with("evidence", EvidenceArgumentParser.parse(evidence));
    }
}
