package dev.gavel.faults.reliability;

import dev.gavel.bench.load.RunFailedException;
import dev.gavel.bench.server.ExternalCommand;
import dev.gavel.bench.server.RunWorkspace;
import dev.gavel.bench.server.SingleGatewayProcess;
import dev.gavel.bench.server.SqliteLockAndCheckProgram;
import java.io.BufferedReader;
import java.time.Duration;

/** Trial that checks what clients observe before, during and after another program locks the ledger's SQLite file. */
final class LockedLedgerTrial implements ReliabilityTrial {
    @Override
    public String name() {
        return "lock";
    }

    @Override
    public Duration timeLimit() {
        return Duration.ofMinutes(3);
    }

    @Override
    public void run(RunWorkspace runWorkspace, TrialReport trialReport) throws Exception {
        SingleGatewayProcess singleGatewayProcess =
                new SingleGatewayProcess(runWorkspace, "lock", LedgerOutageChecks.config());
        singleGatewayProcess.start();
        try (LedgerOutageChecks ledgerOutageChecks = new LedgerOutageChecks(singleGatewayProcess, trialReport)) {
            ledgerOutageChecks.checkBefore();
            Process holder = new ProcessBuilder(ExternalCommand.javaWithSqliteDriver(
                            SqliteLockAndCheckProgram.class,
                            "hold",
                            singleGatewayProcess.data().resolve("ledger.db").toString()))
                    .redirectErrorStream(true)
                    .start();
            try (BufferedReader holderOutput = holder.inputReader()) {
                String line = holderOutput.readLine();
                if (!"held".equals(line)) {
                    throw new RunFailedException("cannot lock the ledger file: " + line);
                }
                ledgerOutageChecks.checkDuring();
                holder.getOutputStream().close();
                holder.waitFor();
            } finally {
                holder.destroyForcibly();
            }
            ledgerOutageChecks.checkAfter();
        }
    }
}
