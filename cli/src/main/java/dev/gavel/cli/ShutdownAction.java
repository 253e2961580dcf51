package dev.gavel.cli;

/** Runs an action when the program is stopped (Ctrl-C, SIGTERM), unless the caller has closed this object before. */
public final class ShutdownAction implements AutoCloseable {
    private final Thread hook;

    public ShutdownAction(Runnable action) {
        this.hook = new Thread(action, "shutdown-action");
        Runtime.getRuntime().addShutdownHook(hook);
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The JVM is already shutting down, so the action runs, as it should.
        }
    }
}
