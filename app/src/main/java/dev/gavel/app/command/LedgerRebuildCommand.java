package dev.gavel.app.command;

import dev.gavel.app.ledger.LedgerHandle;
import dev.gavel.cli.CommandException;
import dev.gavel.cli.ExitCode;
import dev.gavel.cli.OfflineJsonOption;
import dev.gavel.cli.ProgressLine;
import dev.gavel.gateway.call.CallStreamLayout;
import dev.gavel.gateway.store.ProposalSummaryProjector;
import dev.gavel.gateway.store.ToolBaselineProjector;
import dev.gavel.gateway.store.ToolBaselineStore;
import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.LedgerException;
import dev.gavel.ledger.LedgerStore;
import dev.gavel.ledger.SubjectSummary;
import dev.gavel.ledger.SummaryProjector;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.sep.process.BuiltInProcesses;
import dev.gavel.sep.store.SepSummaryProjector;
import dev.gavel.web.registry.IdentitySummaryProjector;
import dev.gavel.web.registry.RegistrySnapshot;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The {@code gavel ledger rebuild} command: rebuilds the ledger's index of proposals from their events. */
@Command(
        name = "rebuild",
        description = "Rebuild the index of proposals, identities and specification proposals from events.",
        optionListHeading = "%nOptions:%n",
        footerHeading = "%nExamples:%n",
        footer = {
            "  gavel ledger rebuild",
            "  gavel ledger rebuild --data /var/lib/gavel",
            "",
            "Stop the server first. The command does not change events. If it cannot read an",
            "event, it changes nothing. With --data, the ledger is the SQLite file in that",
            "directory. Otherwise the configuration file locates the ledger.",
        })
final class LedgerRebuildCommand implements Callable<Integer> {
    private static final SummaryProjector PROPOSALS = new ProposalSummaryProjector();
    private static final SummaryProjector CALL_RECORDS = CallStreamLayout.summaryProjector();
    private static final SummaryProjector TOOLS = new ToolBaselineProjector();
    private static final SummaryProjector IDENTITIES = new IdentitySummaryProjector();

    @Mixin
    private final ConfigAndDataOptions configAndDataOptions = new ConfigAndDataOptions();

    @Mixin
    private final OfflineJsonOption json = new OfflineJsonOption();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() {
        try (LedgerHandle ledgerHandle = configAndDataOptions.ledgerLocation().openExclusive()) {
            rebuild(ledgerHandle.store());
            return ExitCode.SUCCESS;
        } catch (LedgerException e) {
            throw new CommandException(ExitCode.FAILURE, "nothing was changed: " + e.getMessage());
        }
    }

    private void rebuild(LedgerStore ledger) {
        ProgressLine progressLine =
                ProgressLine.onStandardError(spec.commandLine().getErr(), "proposals read");
        long rebuiltCount;
        AtomicLong identities = new AtomicLong();
        AtomicLong sepCount = new AtomicLong();
        AtomicLong callRecords = new AtomicLong();
        AtomicLong tools = new AtomicLong();
        SummaryProjector seps = new SepSummaryProjector(process());
        try {
            rebuiltCount = ledger.rebuildSummaries(history -> {
                progressLine.step();
                if (isCallRecord(history)) {
                    callRecords.incrementAndGet();
                } else if (isIdentity(history)) {
                    identities.incrementAndGet();
                } else if (isSepStream(history)) {
                    sepCount.incrementAndGet();
                } else if (isTool(history)) {
                    tools.incrementAndGet();
                }
                return summarise(history, projector(history, seps));
            });
        } finally {
            progressLine.clear();
        }
        PrintWriter out = spec.commandLine().getOut();
        long proposals = rebuiltCount - identities.get() - sepCount.get() - callRecords.get() - tools.get();
        out.println(
                json.isGiven(spec)
                        ? "{\"rebuilt\":" + proposals + ",\"identities\":" + identities.get() + ",\"desk\":"
                                + sepCount.get() + "}"
                        : "rebuilt the index of " + number(proposals, "proposal", "proposals")
                                + (identities.get() == 0
                                        ? ""
                                        : ", " + number(identities.get(), "identity", "identities"))
                                + (sepCount.get() == 0
                                        ? ""
                                        : ", "
                                                + number(
                                                        sepCount.get(),
                                                        "record of specification proposals",
                                                        "records of specification proposals")));
        out.flush();
    }

    private static SummaryProjector projector(List<LedgerEvent> history, SummaryProjector seps) {
        if (isCallRecord(history)) {
            return CALL_RECORDS;
        }
        if (isSepStream(history)) {
            return seps;
        }
        if (isTool(history)) {
            return TOOLS;
        }
        return isIdentity(history) ? IDENTITIES : PROPOSALS;
    }

    /** The process definition of the SEPs: the configured one, or else the default one. */
    private ProcessDefinition process() {
        return configAndDataOptions.config().map(ConfigFile::sepProcess).orElseGet(BuiltInProcesses::defaultProcess);
    }

    private static boolean isSepStream(List<LedgerEvent> history) {
        return SepSummaryProjector.ownsStream(history.getFirst().stream());
    }

    private static boolean isCallRecord(List<LedgerEvent> history) {
        return CallStreamLayout.isCallStream(history.getFirst().stream());
    }

    private static boolean isTool(List<LedgerEvent> history) {
        return ToolBaselineStore.ownsStream(history.getFirst().stream());
    }

    private static boolean isIdentity(List<LedgerEvent> history) {
        return history.getFirst().stream().equals(RegistrySnapshot.STREAM);
    }

    private static String number(long count, String one, String many) {
        return count + " " + (count == 1 ? one : many);
    }

    /**
     * Projects a history to its summary. The error for an invalid history names the subject, so that the operator can
     * find it in the file.
     */
    private static SubjectSummary summarise(List<LedgerEvent> history, SummaryProjector projector) {
        try {
            return projector.project(history);
        } catch (IllegalArgumentException e) {
            LedgerEvent first = history.getFirst();
            throw new LedgerException(
                    "topic '" + first.stream() + "', proposal '" + first.subject() + "': " + e.getMessage(), e);
        }
    }
}
