package dev.gavel.cli;

import dev.gavel.client.http.GatewayEndpoint;

/**
 * The server that a command talks to, and where the command found the token. Immutable.
 *
 * @param origin where the token comes from
 * @param originText the identity of a login, or the file of the agent's token; otherwise empty
 */
public record CommandEndpoint(GatewayEndpoint gateway, TokenOrigin origin, String originText) {
    /** Where a command found its token. */
    public enum TokenOrigin {
        /** In an option or in the variable {@code GAVEL_TOKEN}. */
        NAMED,
        /** In the credentials that {@code gavel login} stored. */
        LOGIN,
        /** In the data directory of a local server, as the token of the agent. */
        AGENT_FILE,
        /** There is no token. */
        NONE
    }

    /** Explains a 401 response and says how to continue. */
    String rejectionText(String loginAdvice) {
        return "the server at " + gateway
                + switch (origin) {
                    case NAMED -> " does not accept this token. Set another one " + ClientOptions.TOKEN_HINT + ".";
                    case LOGIN -> " no longer accepts your login as '" + originText + "'. " + loginAdvice;
                    case AGENT_FILE -> " does not accept the token in " + originText + ". " + loginAdvice;
                    case NONE -> " requires a token. " + loginAdvice;
                };
    }
}
