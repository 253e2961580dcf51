package dev.gavel.cli.terminal;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;

/**
 * Ignores Ctrl-C in this program until closed, while another program has the terminal. Open it only after the other
 * program has started; otherwise that program inherits the setting and ignores Ctrl-C too. Not thread-safe.
 */
public final class SigintSuppressor implements AutoCloseable {
    /** {@code SIGINT}. */
    private static final int INTERRUPT = 2;

    /** {@code SIG_IGN}. */
    private static final MemorySegment IGNORE = MemorySegment.ofAddress(1);

    /** Larger than any system's {@code struct sigaction}, which is stored as the C library wrote it. */
    private static final int MAX_STRUCT_SIZE = 256;

    private static final FunctionDescriptor ACTION = FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, ADDRESS);

    private final byte[] savedAction;

    public SigintSuppressor() {
        savedAction = TerminalProbe.call("sigaction", ACTION, (sigaction, memory) -> {
                    MemorySegment buffer = memory.allocate(MAX_STRUCT_SIZE, 8);
                    return (int) sigaction.invokeExact(INTERRUPT, MemorySegment.NULL, buffer) == 0
                            ? buffer.toArray(JAVA_BYTE)
                            : new byte[0];
                })
                .orElse(new byte[0]);
        if (savedAction.length > 0) {
            TerminalProbe.call("signal", FunctionDescriptor.of(ADDRESS, JAVA_INT, ADDRESS), (signal, memory) ->
                    (MemorySegment) signal.invokeExact(INTERRUPT, IGNORE));
        }
    }

    @Override
    public void close() {
        if (savedAction.length > 0) {
            TerminalProbe.call("sigaction", ACTION, (sigaction, memory) -> (int) sigaction.invokeExact(
                    INTERRUPT,
                    memory.allocate(MAX_STRUCT_SIZE, 8).copyFrom(MemorySegment.ofArray(savedAction)),
                    MemorySegment.NULL));
        }
    }
}
