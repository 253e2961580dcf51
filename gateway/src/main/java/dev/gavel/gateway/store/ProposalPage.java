package dev.gavel.gateway.store;

import dev.gavel.gateway.proposal.ProposalView;
import dev.gavel.mcpx.JsonByteWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * One page of a topic's proposals, with the cursor of the next page.
 *
 * @param nextCursor the cursor of the next page, if there is one
 */
public record ProposalPage(List<ProposalView> proposals, Optional<String> nextCursor) {
    public ProposalPage {
        proposals = List.copyOf(proposals);
    }

    /** Returns the page as JSON: {@code proposals}, and {@code cursor} if there are more. */
    public byte[] toJson() {
        return JsonByteWriter.write(json -> {
            json.writeStartObject();
            json.writeArrayPropertyStart("proposals");
            for (ProposalView view : proposals) {
                json.writeRawValue(new String(view.toJson(), StandardCharsets.UTF_8));
            }
            json.writeEndArray();
            nextCursor.ifPresent(cursor -> json.writeStringProperty("cursor", cursor));
            json.writeEndObject();
        });
    }
}
