package dev.gavel.gateway.docket;

import dev.gavel.gateway.proposal.ProposalView;
import dev.gavel.mcpx.JsonText;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * Some of a topic's proposals.
 *
 * @param next the cursor that leads on, where there are more
 */
public record Listing(List<ProposalView> proposals, Optional<String> next) {
    public Listing {
        proposals = List.copyOf(proposals);
    }

    /** As JSON: {@code proposals}, and {@code cursor} where there are more. */
    public byte[] toJson() {
        return JsonText.write(json -> {
            json.writeStartObject();
            json.writeArrayPropertyStart("proposals");
            for (ProposalView view : proposals) {
                json.writeRawValue(new String(view.toJson(), StandardCharsets.UTF_8));
            }
            json.writeEndArray();
            next.ifPresent(cursor -> json.writeStringProperty("cursor", cursor));
            json.writeEndObject();
        });
    }
}
