package dev.gavel.app.command;

import dev.gavel.cli.CommandException;
import dev.gavel.cli.ExitCode;
import dev.gavel.cli.OfflineJsonOption;
import dev.gavel.cli.ProgressLine;
import dev.gavel.ledger.LedgerException;
import dev.gavel.ledger.ReadableLedger;
import dev.gavel.ledger.audit.HashChainVerifier;
import dev.gavel.ledger.audit.StreamAuditResult;
import dev.gavel.ledger.audit.TrustedHead;
import dev.gavel.mcpx.text.SafeText;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code gavel ledger verify} command: verifies the hash chain of a ledger. */
@Command(
        name = "verify",
        description = "Find events that were changed, removed, reordered or inserted.",
        optionListHeading = "%nOptions:%n",
        footerHeading = "%nExamples:%n",
        footer = {
            "  gavel ledger verify",
            "  gavel ledger verify --topic ops --head ops=42:9f86d081...",
            "  gavel ledger verify --json | jq -r '.topics[].head' >> /elsewhere/heads",
            "",
            "The hash of each event also covers the hash of the event before it. So the head",
            "(the latest hash) covers all events. A person who can write to the ledger could",
            "compute all hashes again. To detect this, store heads in another place, and",
            "compare them with --head. You can run the command while the server runs. The",
            "exit code is 0 if there are no findings, 1 if there are, and 2 if the ledger",
            "cannot be read. With --data, the ledger is the SQLite file in that directory.",
            "Otherwise the configuration file locates the ledger.",
        })
final class LedgerVerifyCommand implements Callable<Integer> {
    @Mixin
    private final ConfigAndDataOptions configAndDataOptions = new ConfigAndDataOptions();

    @Option(names = "--topic", paramLabel = "TOPIC", description = "Only this topic's events.")
    private @Nullable String topic;

    @Option(
            names = "--head",
            paramLabel = "TOPIC=SEQ:HASH",
            description = "A head from an earlier run, to compare with. Can be repeated.")
    private List<String> heads = List.of();

    @Mixin
    private final OfflineJsonOption json = new OfflineJsonOption();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() {
        List<TrustedHead> trustedHead = heads.stream().map(this::parseHead).toList();
        try (ReadableLedger view = configAndDataOptions.ledgerLocation().openReadOnly()) {
            return verify(view, trustedHead);
        } catch (LedgerException e) {
            throw new CommandException(ExitCode.USAGE, String.valueOf(e.getMessage()));
        }
    }

    private TrustedHead parseHead(String head) {
        TrustedHead trustedHead = TrustedHead.parse(head)
                .orElseThrow(() -> new ParameterException(
                        spec.commandLine(),
                        "'" + SafeText.brief(head, 80)
                                + "' is not a head. Use TOPIC=SEQ:HASH, as 'gavel ledger verify' prints it."));
        if (topic != null && !topic.equals(trustedHead.stream())) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--head is for the topic '" + SafeText.line(trustedHead.stream()) + "', but --topic is '"
                            + SafeText.line(topic) + "'.");
        }
        return trustedHead;
    }

    private int verify(ReadableLedger view, List<TrustedHead> trustedHead) {
        List<String> known = view.streams();
        // A topic for which a trusted head is given must exist.
        Set<String> topics = new TreeSet<>();
        trustedHead.forEach(each -> topics.add(each.stream()));
        if (topic == null) {
            topics.addAll(known);
        } else if (topics.isEmpty()) {
            TopicExistenceChecker.require(topic, known);
            topics.add(topic);
        }
        ProgressLine progressLine =
                ProgressLine.onStandardError(spec.commandLine().getErr(), "events verified");
        List<StreamAuditResult> streamAuditResult = new ArrayList<>();
        try {
            for (String each : topics) {
                List<TrustedHead> ofIt = trustedHead.stream()
                        .filter(head -> head.stream().equals(each))
                        .toList();
                streamAuditResult.add(HashChainVerifier.verify(view, each, ofIt, progressLine::step));
            }
        } finally {
            progressLine.clear();
        }
        LedgerVerificationReport ledgerVerificationReport =
                new LedgerVerificationReport(streamAuditResult, topic == null ? view.missingStreamCount() : 0);
        PrintWriter out = spec.commandLine().getOut();
        out.print(
                json.isGiven(spec)
                        ? ledgerVerificationReport.json() + System.lineSeparator()
                        : ledgerVerificationReport.text());
        out.flush();
        return ledgerVerificationReport.findingCount() == 0 ? ExitCode.SUCCESS : ExitCode.FAILURE;
    }
}
