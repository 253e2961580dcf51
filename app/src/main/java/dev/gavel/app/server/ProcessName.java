package dev.gavel.app.server;

import java.security.SecureRandom;
import java.util.HexFormat;

/** What a process is called among those that serve the same topics: by chance, so that no other has it nor ever had. */
final class ProcessName {
    private static final int BYTES = 6;

    private ProcessName() {}

    static String random() {
        byte[] chance = new byte[BYTES];
        new SecureRandom().nextBytes(chance);
        return HexFormat.of().formatHex(chance);
    }
}
