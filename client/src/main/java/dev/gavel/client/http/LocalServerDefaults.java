package dev.gavel.client.http;

import java.nio.file.Path;

/**
 * Tells commands the data directory, identities and token files that a local server without a configuration file uses.
 */
public final class LocalServerDefaults {
    /** The data directory, relative to the working directory. */
    public static final Path DATA = Path.of(".gavel");

    /** The identity of the person who started the server. */
    public static final String OWNER = "you";

    /**
     * The display name of the owner if the configuration has none. An agent would read its id, "you", as meaning the
     * agent itself.
     */
    public static final String OWNER_NAME = "Owner";

    /** The identity of an agent that may only propose. */
    public static final String AGENT = "agent";

    private LocalServerDefaults() {}

    /** Returns the file in a data directory that contains an identity's token. */
    public static Path tokenFile(Path data, String identity) {
        return data.resolve("tokens").resolve(identity);
    }
}
