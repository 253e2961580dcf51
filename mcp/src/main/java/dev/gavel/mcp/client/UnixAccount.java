package dev.gavel.mcp.client;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** A user account of the operating system, as {@code getent} describes it. Immutable. */
record UnixAccount(String name, long userId, long groupId, String home) {
    private static final int TIMEOUT_SECONDS = 10;
    private static final int FIELDS = 7;

    /** Looks up an account by its name. */
    static UnixAccount lookup(String name) throws IOException {
        Process getent = new ProcessBuilder("getent", "passwd", "--", name).start();
        try {
            String line = new String(getent.getInputStream().readNBytes(8192), StandardCharsets.UTF_8).strip();
            if (!getent.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException("the lookup of the user '" + name + "' takes too long");
            }
            return parse(name, line);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            getent.destroyForcibly();
        }
    }

    private static UnixAccount parse(String name, String line) throws IOException {
        // name:password:uid:gid:comment:home:shell
        String[] fields = line.split(":", -1);
        if (fields.length != FIELDS || !fields[0].equals(name)) {
            throw new IOException("there is no user '" + name + "' on this machine");
        }
        try {
            return new UnixAccount(name, Long.parseLong(fields[2]), Long.parseLong(fields[3]), fields[5]);
        } catch (NumberFormatException e) {
            throw new IOException("the user '" + name + "' has no numeric ids", e);
        }
    }
}
