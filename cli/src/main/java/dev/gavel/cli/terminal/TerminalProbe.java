package dev.gavel.cli.terminal;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Locale;
import java.util.Optional;

/**
 * Asks the C library for the size of the terminal window and whether standard output and standard error are terminals. If a call fails,
 * there is no terminal. Stateless.
 */
public final class TerminalProbe {
    private static final int STANDARD_OUTPUT = 1;
    private static final int STANDARD_ERROR = 2;

    /** {@code TIOCGWINSZ}. */
    private static final long WINDOW_SIZE =
            System.getProperty("os.name", "").toLowerCase(Locale.ROOT).contains("mac") ? 0x40087468L : 0x5413L;

    private TerminalProbe() {}

    /** A call of a function of the C library. */
    @FunctionalInterface
    public interface NativeCall<T> {
        T invoke(MethodHandle function, Arena memory) throws Throwable;
    }

    /** Whether standard output is a terminal, so that a person may read it. */
    public static boolean isStandardOutputTerminal() {
        return isTerminal(STANDARD_OUTPUT);
    }

    /** Whether standard error is a terminal, so that a person may read it. */
    public static boolean isStandardErrorTerminal() {
        return isTerminal(STANDARD_ERROR);
    }

    private static boolean isTerminal(int fileDescriptor) {
        return call(
                        "isatty",
                        FunctionDescriptor.of(JAVA_INT, JAVA_INT),
                        (function, memory) -> (int) function.invokeExact(fileDescriptor) == 1)
                .orElse(false);
    }

    /** The size of the window of standard output; empty if it is not a terminal. */
    public static Optional<TerminalSize> size() {
        return call(
                        "ioctl",
                        FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS),
                        TerminalProbe::size,
                        Linker.Option.firstVariadicArg(2))
                .filter(size -> size.width() > 0 && size.height() > 0);
    }

    private static TerminalSize size(MethodHandle ioctl, Arena memory) throws Throwable {
        // struct winsize: rows and columns, then width and height in pixels.
        MemorySegment window = memory.allocate(8, 2);
        return (int) ioctl.invokeExact(STANDARD_OUTPUT, WINDOW_SIZE, window) == 0
                ? new TerminalSize(
                        Short.toUnsignedInt(window.getAtIndex(JAVA_SHORT, 1)),
                        Short.toUnsignedInt(window.getAtIndex(JAVA_SHORT, 0)))
                : new TerminalSize(0, 0);
    }

    /** Calls a function of the C library; empty if the library has no such function or the call fails. */
    @SuppressWarnings({"restricted", "CatchingUnchecked"})
    public static <T> Optional<T> call(
            String function, FunctionDescriptor descriptor, NativeCall<T> call, Linker.Option... options) {
        try (Arena memory = Arena.ofConfined()) {
            Linker linker = Linker.nativeLinker();
            MemorySegment address = linker.defaultLookup().find(function).orElseThrow();
            return Optional.of(call.invoke(linker.downcallHandle(address, descriptor, options), memory));
        } catch (Throwable e) {
            return Optional.empty();
        }
    }
}
