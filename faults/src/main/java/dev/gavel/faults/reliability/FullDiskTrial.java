package dev.gavel.faults.reliability;

import dev.gavel.bench.load.RunFailedException;
import dev.gavel.bench.server.ExternalCommand;
import dev.gavel.bench.server.RunWorkspace;
import dev.gavel.bench.server.SingleGatewayProcess;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Lets the server run out of disk space and checks that it refuses proposals, recovers when space is free again, and
 * loses nothing. If the user may mount file systems, it fills a small one in memory. Otherwise it limits the size of
 * the server's files with {@code prlimit}.
 */
final class FullDiskTrial implements ReliabilityTrial {
    @Override
    public String name() {
        return "disk";
    }

    @Override
    public Duration timeLimit() {
        return Duration.ofMinutes(3);
    }

    @Override
    public void run(RunWorkspace runWorkspace, TrialReport trialReport) throws Exception {
        Path disk = Files.createDirectory(runWorkspace.directory().resolve("disk"));
        if (ExternalCommand.succeeds(
                "mount", "-t", "tmpfs", "-o", "size=8m,mode=700", "gavel-reliability", disk.toString())) {
            try {
                onSmallDisk(runWorkspace, trialReport, disk);
            } finally {
                // A server that still has files open on it would prevent the unmount.
                if (!ExternalCommand.succeeds("umount", disk.toString())
                        && !ExternalCommand.succeeds("umount", "-l", disk.toString())) {
                    System.err.println("reliability: cannot unmount " + disk);
                }
            }
        } else if (ExternalCommand.succeeds("prlimit", "--version")) {
            withLimit(runWorkspace, trialReport);
        } else {
            throw new RunFailedException("this trial needs root to mount a small disk, or prlimit (util-linux)");
        }
    }

    private static void onSmallDisk(RunWorkspace runWorkspace, TrialReport trialReport, Path disk) throws Exception {
        SingleGatewayProcess singleGatewayProcess =
                new SingleGatewayProcess(runWorkspace, "gavel", LedgerOutageChecks.config(), disk.resolve("data"));
        singleGatewayProcess.start();
        try (LedgerOutageChecks ledgerOutageChecks = new LedgerOutageChecks(singleGatewayProcess, trialReport)) {
            ledgerOutageChecks.checkBefore();
            Path filler = disk.resolve("filler");
            fill(filler);
            trialReport.addFigure("method", "a full file system of 8 MiB");
            ledgerOutageChecks.checkDuring();
            Files.delete(filler);
            ledgerOutageChecks.checkAfter();
            fill(filler);
            singleGatewayProcess.kill();
            Files.delete(filler);
        }
        singleGatewayProcess.start();
        trialReport.checkCount(
                "proposals in the ledger after kill -9 on the full disk",
                250,
                singleGatewayProcess.exportLedger().stream()
                        .filter(event -> event.type().equals("proposed"))
                        .count());
        singleGatewayProcess.stop();
    }

    private static void fill(Path file) throws IOException {
        byte[] zeros = new byte[4096];
        try (OutputStream out = Files.newOutputStream(file)) {
            while (true) {
                out.write(zeros);
            }
        } catch (IOException _) {
            // The disk is full, as intended.
        }
    }

    private static void withLimit(RunWorkspace runWorkspace, TrialReport trialReport) throws Exception {
        SingleGatewayProcess singleGatewayProcess =
                new SingleGatewayProcess(runWorkspace, "gavel", LedgerOutageChecks.config());
        singleGatewayProcess.start();
        String pid = Long.toString(singleGatewayProcess.process().pid());
        try (LedgerOutageChecks ledgerOutageChecks = new LedgerOutageChecks(singleGatewayProcess, trialReport)) {
            ledgerOutageChecks.checkBefore();
            trialReport.addFigure("method", "a limit on the file size (prlimit)");
            // Only the soft limit, which can be raised again.
            ExternalCommand.run(List.of("prlimit", "--pid", pid, "--fsize=4096:"));
            ledgerOutageChecks.checkDuring();
            ExternalCommand.run(List.of("prlimit", "--pid", pid, "--fsize=unlimited:"));
            ledgerOutageChecks.checkAfter();
        }
    }
}
