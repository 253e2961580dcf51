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
        description = "Attach evidence to a proposal for moves that require it.",
        footer = {
            "  gavel sep attach 1286 prototype=https://example.org/code",
            "  gavel sep attach 1286 'no-prototype=it changes no behaviour'",
            "",
            "The process defines the kinds, such as prototype, reference-implementation,",
            "conformance, discussion and minutes. 'gavel sep next N' shows which kinds the",
            "next moves require.",
        })
final class SepAttachEvidenceCommand extends SingleSepCommand {
    @Parameters(
            index = "1..*",
            arity = "1..*",
            paramLabel = "KIND=VALUE",
            description = "Evidence, such as minutes=https://example.org/minutes.")
    private List<String> evidence = new ArrayList<>();

    SepAttachEvidenceCommand() {
        super(SepOperation.ATTACH);
    }

    @Override
    SepApiRequest withArguments(SepApiRequest sepApiRequest, ClientCommandContext clientCommandContext) {
        return sepApiRequest.with("evidence", EvidenceArgumentParser.parse(evidence));
    }
}
