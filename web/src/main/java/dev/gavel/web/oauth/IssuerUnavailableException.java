package dev.gavel.web.oauth;

/** Signals that the keys of an issuer cannot be fetched, so that its tokens can be neither accepted nor refused. */
final class IssuerUnavailableException extends Exception {
    private static final long serialVersionUID = 1;

    IssuerUnavailableException(String message) {
        super(message);
    }
}
