package dev.gavel.app.cli;

import dev.gavel.app.keeping.Keeping;
import dev.gavel.app.register.Register;
import dev.gavel.app.register.RegisterProjector;
import dev.gavel.gateway.docket.ProposalProjector;
import dev.gavel.ledger.Event;
import dev.gavel.ledger.LedgerFailure;
import dev.gavel.ledger.LedgerStore;
import dev.gavel.ledger.Projector;
import dev.gavel.ledger.Summary;
import dev.gavel.lifecycle.process.Process;
import dev.gavel.sep.kept.SepProjector;
import dev.gavel.sep.process.Processes;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Makes the index of proposals anew from their events. */
@Command(
        name = "rebuild",
        description = "Make the index of proposals anew from their events.",
        optionListHeading = "%nOptions:%n",
        footerHeading = "%nExamples:%n",
        footer = {
            "  gavel ledger rebuild",
            "  gavel ledger rebuild --data /var/lib/gavel",
            "",
            "The server must be stopped. The events themselves are not changed, and where",
            "one of them cannot be read nothing is. Without --data and GAVEL_DATA, the",
            "configuration says where the ledger is: the file named with --config, else",
            "gavel.yaml here.",
        })
final class LedgerRebuildCommand implements Callable<Integer> {
    private static final Projector PROPOSALS = new ProposalProjector();
    private static final Projector IDENTITIES = new RegisterProjector();

    @Mixin
    private final Place place = new Place();

    @Mixin
    private final JsonOption json = new JsonOption();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() {
        try (Keeping kept = place.ledger().openAlone()) {
            rebuild(kept.store());
            return ExitCode.DONE;
        } catch (LedgerFailure e) {
            throw new Complaint(ExitCode.NO, "nothing was changed: " + e.getMessage());
        }
    }

    private void rebuild(LedgerStore ledger) {
        Progress progress = Progress.onStandardError(spec.commandLine().getErr(), "proposals read");
        long made;
        AtomicLong identities = new AtomicLong();
        AtomicLong desk = new AtomicLong();
        Projector seps = new SepProjector(process());
        try {
            made = ledger.rebuild(history -> {
                progress.step();
                if (isIdentity(history)) {
                    identities.incrementAndGet();
                } else if (isDesk(history)) {
                    desk.incrementAndGet();
                }
                return summarise(history, isDesk(history) ? seps : isIdentity(history) ? IDENTITIES : PROPOSALS);
            });
        } finally {
            progress.end();
        }
        PrintWriter out = spec.commandLine().getOut();
        long proposals = made - identities.get() - desk.get();
        out.println(
                json.given(spec)
                        ? "{\"rebuilt\":" + proposals + ",\"identities\":" + identities.get() + ",\"desk\":"
                                + desk.get() + "}"
                        : "rebuilt the index of " + number(proposals, "proposal", "proposals")
                                + (identities.get() == 0
                                        ? ""
                                        : " and " + number(identities.get(), "identity", "identities"))
                                + (desk.get() == 0
                                        ? ""
                                        : ", and of " + number(desk.get(), "thing", "things") + " of the SEP desk"));
        out.flush();
    }

    /** The process that the desk's proposals go by: as the configuration says, and else the usual one. */
    private Process process() {
        return place.config()
                .map(named -> ConfigFile.read(named).sound().sep().process())
                .orElseGet(Processes::usual);
    }

    private static boolean isDesk(List<Event> history) {
        return SepProjector.knows(history.getFirst().stream());
    }

    private static boolean isIdentity(List<Event> history) {
        return history.getFirst().stream().equals(Register.STREAM);
    }

    private static String number(long count, String one, String many) {
        return count + " " + (count == 1 ? one : many);
    }

    /** A history that cannot be one is named, so that whoever looks into the file knows where. */
    private static Summary summarise(List<Event> history, Projector projector) {
        try {
            return projector.summarise(history);
        } catch (IllegalArgumentException e) {
            Event first = history.getFirst();
            throw new LedgerFailure(
                    "topic '" + first.stream() + "', proposal '" + first.subject() + "': " + e.getMessage(), e);
        }
    }
}
