package dev.gavel.mcp.facade.port;

/** What becomes of a message from a client; told before anything is sent to its sink. */
public sealed interface Received {
    /** A session began, under this id; its first answer follows. */
    record Began(String session) implements Received {}

    /** An answer follows. */
    record Taken() implements Received {}

    /** There is nothing to answer. */
    record Noted() implements Received {}

    /** There is no such session: the client has to begin another. */
    record NoSession() implements Received {}

    /** It cannot be taken as it is; why is fit to be shown to whoever sent it. */
    record Wrong(String why) implements Received {}
}
