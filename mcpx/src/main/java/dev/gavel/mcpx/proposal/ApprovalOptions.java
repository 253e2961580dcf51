package dev.gavel.mcpx.proposal;

import java.util.List;

/**
 * The options that a reviewer sends with an approval, in addition to the call.
 *
 * @param unchecked whether the edited arguments may run although they do not match the tool's schema
 * @param definitionDigests the digests of the tool definitions that the approval is for; empty for those that were
 *     current when the call was proposed
 */
public record ApprovalOptions(boolean unchecked, List<String> definitionDigests) {
    /** Checks edited arguments, and approves the tool as it was when the call was proposed. */
    public static final ApprovalOptions DEFAULT = new ApprovalOptions(false, List.of());

    public ApprovalOptions {
        definitionDigests = List.copyOf(definitionDigests);
    }
}
