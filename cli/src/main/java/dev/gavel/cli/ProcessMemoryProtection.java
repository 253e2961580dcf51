package dev.gavel.cli;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.gavel.cli.terminal.TerminalProbe;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Prevents other programs of the same user, such as a bridged MCP server, from reading this process's memory and its
 * environment in {@code /proc}, which may contain tokens. Works on Linux; programs of root can still read both. Core
 * dumps are off too; heap dumps and {@code jcmd} work.
 *
 * <p>The protection of the memory ends in a child process, and Java starts every program with a helper process that
 * inherits the environment of the C library. So most variables are removed from that environment. {@link System#getenv}
 * still returns all of them. Stateless.
 */
public final class ProcessMemoryProtection {
    /** {@code PR_SET_DUMPABLE}. */
    private static final int PR_SET_DUMPABLE = 4;

    /** The variables that child processes and the C library may need, and that contain no secrets. */
    private static final Set<String> INHERITED_VARIABLES = Set.of(
            "PATH",
            "HOME",
            "USER",
            "LOGNAME",
            "LANG",
            "LANGUAGE",
            "LC_ALL",
            "LC_CTYPE",
            "TZ",
            "TMPDIR",
            "LD_LIBRARY_PATH",
            "LOCALDOMAIN",
            "RES_OPTIONS");

    private ProcessMemoryProtection() {}

    /**
     * Starts to protect this process, in the background, because loading the linker takes a good part of a start. Wait
     * for the result before you start another program. The result is false if the system does not support it.
     */
    public static CompletableFuture<Boolean> start() {
        return isLinux()
                ? CompletableFuture.supplyAsync(
                        ProcessMemoryProtection::protect,
                        task -> Thread.ofPlatform()
                                .daemon()
                                .name("gavel-protection")
                                .start(task))
                : CompletableFuture.completedFuture(false);
    }

    private static boolean isLinux() {
        return System.getProperty("os.name", "").toLowerCase(Locale.ROOT).contains("linux");
    }

    private static boolean protect() {
        boolean removed = removeVariables();
        return denyAccess() && removed;
    }

    private static boolean denyAccess() {
        return TerminalProbe.call(
                        "prctl",
                        FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
                        (prctl, memory) -> (int) prctl.invokeExact(PR_SET_DUMPABLE, 0L, 0L, 0L, 0L) == 0,
                        Linker.Option.firstVariadicArg(1))
                .orElse(false);
    }

    /**
     * Removes the variables one by one, and not all at once with {@code clearenv}. {@code unsetenv} only moves pointers
     * and frees no memory, so native code on other threads can read the environment meanwhile.
     */
    private static boolean removeVariables() {
        // Java copies the environment when a program first asks for it, so it must ask before this method changes it.
        Set<String> names = System.getenv().keySet();
        return TerminalProbe.call("unsetenv", FunctionDescriptor.of(JAVA_INT, ADDRESS), (unsetenv, memory) -> {
                    boolean removed = true;
                    for (String name : names) {
                        if (!INHERITED_VARIABLES.contains(name)) {
                            removed &= (int) unsetenv.invokeExact(memory.allocateFrom(name)) == 0;
                        }
                    }
                    return removed;
                })
                .orElse(false);
    }
}
