package dev.gavel.mcpx.proposal;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The standard reasons that a reviewer can give for rejecting a proposal, such as unsafe or duplicate. */
public enum RejectionReason {
    UNSAFE("it could cause harm"),
    POLICY("it is not allowed here"),
    DISAGREE("it is not the right thing to do"),
    INAPPROPRIATE("it does not belong here"),
    DUPLICATE("it was already proposed or done"),
    INVALID("it cannot work as proposed"),
    BUSY("you have no time now; others can still approve it"),
    INCAPABLE("you cannot handle it; others can still approve it"),
    RESOURCE_LIMIT("you lack the resources; others can still approve it");

    private final String meaning;

    RejectionReason(String meaning) {
        this.meaning = meaning;
    }

    /** The names of all reasons on the wire. */
    public static List<String> wireNames() {
        return Arrays.stream(values()).map(RejectionReason::wireName).toList();
    }

    /** The name on the wire. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether the reason applies only to the reviewer who gives it, so that others may still approve. */
    public boolean abstains() {
        return this == BUSY || this == INCAPABLE || this == RESOURCE_LIMIT;
    }

    /** Whether a reason on the wire is an abstention. Other texts, also a reviewer's own words, are vetoes. */
    public static boolean isAbstention(String wireName) {
        return Arrays.stream(values())
                .anyMatch(each -> each.abstains() && each.wireName().equals(wireName));
    }

    /** What the reason means to the proposer; shown to the reviewer who selects it. */
    public String meaning() {
        return meaning;
    }
}
