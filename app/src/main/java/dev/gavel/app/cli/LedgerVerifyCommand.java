package dev.gavel.app.cli;

import dev.gavel.ledger.LedgerFailure;
import dev.gavel.ledger.LedgerView;
import dev.gavel.ledger.audit.Audit;
import dev.gavel.ledger.audit.Audited;
import dev.gavel.ledger.audit.Noted;
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

/** Finds out whether a ledger still says what was written. */
@Command(
        name = "verify",
        description = "Find events that were edited, removed, moved or put in.",
        optionListHeading = "%nOptions:%n",
        footerHeading = "%nExamples:%n",
        footer = {
            "  gavel ledger verify",
            "  gavel ledger verify --topic ops --head ops=42:9f86d081...",
            "  gavel ledger verify --json | jq -r '.topics[].head' >> /elsewhere/heads",
            "",
            "Each event is hashed together with the hash of the one before it, so the head,",
            "the last hash, stands for all of them. Whoever can write the file can also hash",
            "all of it anew: keep heads where they cannot, and have them compared with",
            "--head. A server may be running. The exit code is 0 where nothing was found, 1",
            "where something was, 2 where the ledger cannot be read. Without --data and",
            "GAVEL_DATA, the configuration says where the ledger is: the file named with",
            "--config, else gavel.yaml here.",
        })
final class LedgerVerifyCommand implements Callable<Integer> {
    @Mixin
    private final Place place = new Place();

    @Option(names = "--topic", paramLabel = "TOPIC", description = "Only this topic's events.")
    private @Nullable String topic;

    @Option(
            names = "--head",
            paramLabel = "TOPIC=SEQ:HASH",
            description = "A head as it was printed earlier, to be compared. Can be given more than once.")
    private List<String> heads = List.of();

    @Mixin
    private final JsonOption json = new JsonOption();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() {
        List<Noted> noted = heads.stream().map(this::noted).toList();
        try (LedgerView view = place.ledger().view()) {
            return verify(view, noted);
        } catch (LedgerFailure e) {
            throw new Complaint(ExitCode.USAGE, String.valueOf(e.getMessage()));
        }
    }

    private Noted noted(String head) {
        Noted noted = Noted.parse(head)
                .orElseThrow(() -> new ParameterException(
                        spec.commandLine(),
                        "'" + SafeText.brief(head, 80)
                                + "' is no head: it is TOPIC=SEQ:HASH, as 'gavel ledger verify' prints it."));
        if (topic != null && !topic.equals(noted.stream())) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--head is of the topic '" + SafeText.line(noted.stream()) + "', but --topic is '"
                            + SafeText.line(topic) + "'.");
        }
        return noted;
    }

    private int verify(LedgerView view, List<Noted> noted) {
        List<String> known = view.streams();
        // A topic whose head was noted must be there.
        Set<String> topics = new TreeSet<>();
        noted.forEach(each -> topics.add(each.stream()));
        if (topic == null) {
            topics.addAll(known);
        } else if (topics.isEmpty()) {
            KnownTopic.require(topic, known);
            topics.add(topic);
        }
        Progress progress = Progress.onStandardError(spec.commandLine().getErr(), "events verified");
        List<Audited> audited = new ArrayList<>();
        try {
            for (String each : topics) {
                List<Noted> ofIt = noted.stream()
                        .filter(head -> head.stream().equals(each))
                        .toList();
                audited.add(Audit.verify(view, each, ofIt, progress::step));
            }
        } finally {
            progress.end();
        }
        Verdict verdict = new Verdict(audited, topic == null ? view.lostStreams() : 0);
        PrintWriter out = spec.commandLine().getOut();
        out.print(json.given(spec) ? verdict.json() + System.lineSeparator() : verdict.text());
        out.flush();
        return verdict.findings() == 0 ? ExitCode.DONE : ExitCode.NO;
    }
}
