package dev.gavel.bench.reliability;

import dev.gavel.bench.LoadFailure;
import dev.gavel.bench.Workbench;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The disk is full. With the rights to mount one, that is a small file system in memory that is filled up; else the
 * system is told to let the server's files grow no further ({@code prlimit}).
 */
final class FullDisk implements Trial {
    @Override
    public String name() {
        return "disk";
    }

    @Override
    public Duration limit() {
        return Duration.ofMinutes(3);
    }

    @Override
    public void run(Workbench workbench, Findings findings) throws Exception {
        Path disk = Files.createDirectory(workbench.directory().resolve("disk"));
        if (Tool.works("mount", "-t", "tmpfs", "-o", "size=8m,mode=700", "gavel-reliability", disk.toString())) {
            try {
                onSmallDisk(workbench, findings, disk);
            } finally {
                // A server that still has files open on it would keep it.
                if (!Tool.works("umount", disk.toString()) && !Tool.works("umount", "-l", disk.toString())) {
                    System.err.println("reliability: could not unmount " + disk);
                }
            }
        } else if (Tool.works("prlimit", "--version")) {
            withLimit(workbench, findings);
        } else {
            throw new LoadFailure("a full disk needs root, to mount a small one, or prlimit (util-linux)");
        }
    }

    private static void onSmallDisk(Workbench workbench, Findings findings, Path disk) throws Exception {
        Gavel gavel = new Gavel(workbench, "gavel", Outage.setting(), disk.resolve("data"));
        gavel.start();
        try (Outage outage = new Outage(gavel, findings)) {
            outage.before();
            Path filler = disk.resolve("filler");
            fill(filler);
            findings.figure("how", "a file system of 8 MiB, filled");
            outage.meanwhile();
            Files.delete(filler);
            outage.afterwards();
            fill(filler);
            gavel.kill();
            Files.delete(filler);
        }
        gavel.start();
        findings.count(
                "proposals still there after kill -9 on the full disk",
                250,
                gavel.export().stream()
                        .filter(event -> event.type().equals("proposed"))
                        .count());
        gavel.stop();
    }

    private static void fill(Path file) throws IOException {
        byte[] zeros = new byte[4096];
        try (OutputStream out = Files.newOutputStream(file)) {
            while (true) {
                out.write(zeros);
            }
        } catch (IOException _) {
            // Full, as it is meant to be.
        }
    }

    private static void withLimit(Workbench workbench, Findings findings) throws Exception {
        Gavel gavel = new Gavel(workbench, "gavel", Outage.setting());
        gavel.start();
        String pid = Long.toString(gavel.process().pid());
        try (Outage outage = new Outage(gavel, findings)) {
            outage.before();
            findings.figure("how", "files may grow no further (prlimit)");
            // The soft limit alone, which may be raised again.
            Tool.run(List.of("prlimit", "--pid", pid, "--fsize=4096:"));
            outage.meanwhile();
            Tool.run(List.of("prlimit", "--pid", pid, "--fsize=unlimited:"));
            outage.afterwards();
        }
    }
}
