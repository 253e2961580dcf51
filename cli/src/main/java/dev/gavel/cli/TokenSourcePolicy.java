package dev.gavel.cli;

import java.util.List;

/**
 * Defines which tokens a command may use if the user names none on the command line or in {@code GAVEL_TOKEN}.
 *
 * <p>No command uses the admin's token in a server's data directory by itself: a program that runs {@code gavel} in that
 * directory, such as an agent, must not become the reviewer by accident.
 */
public enum TokenSourcePolicy {
    /** Only a token that the user named: for programs that must act as one certain member. */
    NAMED(false, false, false, "Required."),

    /** The local agent's token, but never the user's login: for MCP clients, which are agents. */
    AGENT(false, true, false, "Default: the token of 'agent' in the local data directory."),

    /** The user's login, else the local agent's token: for commands that read or propose. */
    LOGIN_OR_AGENT(
            true,
            true,
            false,
            "Default: your login (see 'gavel login'), or else the\n" + "token of 'agent' in the local data directory."),

    /** The user's login, and the command does not run without a token: for commands that decide or administer. */
    LOGIN_REQUIRED(true, false, true, "Default: your login (see 'gavel login').");

    private final boolean login;
    private final boolean agent;
    private final boolean required;
    private final String defaultText;

    TokenSourcePolicy(boolean login, boolean agent, boolean required, String defaultText) {
        this.login = login;
        this.agent = agent;
        this.required = required;
        this.defaultText = defaultText;
    }

    boolean allowsLogin() {
        return login;
    }

    boolean allowsAgent() {
        return agent;
    }

    /** The lines of the help that say which token a command uses if the user names none. */
    List<String> defaultText() {
        return defaultText.lines().toList();
    }

    boolean requiresToken() {
        return required;
    }
}
