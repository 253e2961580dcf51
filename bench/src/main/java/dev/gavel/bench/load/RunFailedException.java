package dev.gavel.bench.load;

/**
 * Thrown when a benchmark or fault run cannot continue or its figures would be wrong; the message says what the server
 * did.
 */
public final class RunFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public RunFailedException(String message) {
        super(message);
    }

    public RunFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}
