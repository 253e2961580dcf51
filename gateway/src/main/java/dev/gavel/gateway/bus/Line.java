package dev.gavel.gateway.bus;

/** A topic's end of the bus. Thread-safe. */
public interface Line {
    /** Whether the bus can be reached now. */
    boolean available();

    /** Sends something to the topic's other processes. */
    Sent send(Parcel parcel);

    /** Lets others know that a member is here, or is here in another way than before. */
    void here(Stay stay);

    /** Lets others know that a member is here no more. */
    void gone(String member);

    /** Whether to be brought what others send here: not worth its while where nobody is here who is to hear it. */
    void follow(boolean wanted);
}
