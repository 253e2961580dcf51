package dev.gavel.web.console.admin;

import dev.gavel.web.console.page.PageLayoutData;
import java.util.List;

/**
 * The page that lists all bridges and their status.
 *
 * @param exampleTopic the topic in the example that the page shows if there are no bridges
 */
public record BridgeListPage(PageLayoutData frame, List<BridgeRow> bridgeRows, String exampleTopic) {
    public BridgeListPage {
        bridgeRows = List.copyOf(bridgeRows);
    }
}
