package dev.gavel.app.cli;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;

/** Asks the operating system about terminals; Java's own console knows only of input and output together. Stateless. */
final class Terminal {
    private static final int STANDARD_ERROR = 2;

    private Terminal() {}

    /** Whether a person may be looking at standard error; no where that cannot be found out. */
    @SuppressWarnings({"restricted", "CatchingUnchecked"})
    static boolean isStandardError() {
        Linker linker = Linker.nativeLinker();
        return linker.defaultLookup()
                .find("isatty")
                .map(function -> {
                    try {
                        return (int) linker.downcallHandle(
                                                function,
                                                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT))
                                        .invokeExact(STANDARD_ERROR)
                                == 1;
                    } catch (Throwable e) {
                        return false;
                    }
                })
                .orElse(false);
    }
}
