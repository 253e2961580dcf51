package dev.gavel.cli.terminal;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * The terminal's mode settings (termios): reads them, switches them to raw mode and restores them. Stores the struct as
 * the C library wrote it and does not read its fields, because their layout differs between systems. Immutable.
 */
public final class TermiosSettings {
    /** Larger than any system's {@code struct termios}. */
    private static final int MAX_STRUCT_SIZE = 256;

    private static final int STANDARD_INPUT = 0;

    /** {@code TCSADRAIN}: the change takes effect after all output is written. */
    private static final int TCSADRAIN = 1;

    private final byte[] settings;

    private TermiosSettings(byte[] settings) {
        this.settings = settings;
    }

    /** Reads the current settings; empty if standard input is not a terminal. */
    public static Optional<TermiosSettings> current() {
        return TerminalProbe.call(
                        "tcgetattr", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS), (tcgetattr, memory) -> {
                            MemorySegment buffer = memory.allocate(MAX_STRUCT_SIZE, 8);
                            return (int) tcgetattr.invokeExact(STANDARD_INPUT, buffer) == 0
                                    ? buffer.toArray(JAVA_BYTE)
                                    : new byte[0];
                        })
                .filter(bytes -> bytes.length > 0)
                .map(TermiosSettings::new);
    }

    /**
     * Returns these settings in raw mode: the program receives every key at once and unchanged, Ctrl-C too, and nothing
     * is echoed.
     */
    public TermiosSettings toRawMode() {
        return TerminalProbe.call("cfmakeraw", FunctionDescriptor.ofVoid(ADDRESS), (cfmakeraw, memory) -> {
                    MemorySegment copy = memory.allocate(MAX_STRUCT_SIZE, 8).copyFrom(MemorySegment.ofArray(settings));
                    cfmakeraw.invokeExact(copy);
                    return new TermiosSettings(copy.toArray(JAVA_BYTE));
                })
                .orElse(this);
    }

    /** Applies these settings to the terminal and returns whether that succeeded. */
    public boolean apply() {
        return TerminalProbe.call(
                        "tcsetattr",
                        FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS),
                        (tcsetattr, memory) -> (int) tcsetattr.invokeExact(
                                        STANDARD_INPUT,
                                        TCSADRAIN,
                                        memory.allocate(MAX_STRUCT_SIZE, 8).copyFrom(MemorySegment.ofArray(settings)))
                                == 0)
                .orElse(false);
    }
}
