package dev.gavel.bench.reliability;

import dev.gavel.bench.LoadFailure;
import dev.gavel.bench.Workbench;
import java.io.BufferedReader;
import java.time.Duration;

/** Another program holds the ledger's file for itself, for longer than anybody wants to wait. */
final class LockedLedger implements Trial {
    @Override
    public String name() {
        return "lock";
    }

    @Override
    public Duration limit() {
        return Duration.ofMinutes(3);
    }

    @Override
    public void run(Workbench workbench, Findings findings) throws Exception {
        Gavel gavel = new Gavel(workbench, "lock", Outage.setting());
        gavel.start();
        try (Outage outage = new Outage(gavel, findings)) {
            outage.before();
            Process holder = new ProcessBuilder(Tool.withDriver(
                            SqliteFile.class,
                            "hold",
                            gavel.data().resolve("ledger.db").toString()))
                    .redirectErrorStream(true)
                    .start();
            try (BufferedReader said = holder.inputReader()) {
                String line = said.readLine();
                if (!"held".equals(line)) {
                    throw new LoadFailure("the ledger's file could not be held: " + line);
                }
                outage.meanwhile();
                holder.getOutputStream().close();
                holder.waitFor();
            } finally {
                holder.destroyForcibly();
            }
            outage.afterwards();
        }
    }
}
