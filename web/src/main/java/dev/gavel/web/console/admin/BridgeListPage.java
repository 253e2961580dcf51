package dev.gavel.web.console.admin;

import dev.gavel.web.console.page.PageLayoutData;
import java.util.List;

/** The page that lists all bridges and their status. */
public record BridgeListPage(PageLayoutData frame, List<BridgeRow> bridgeRows) {
    public BridgeListPage {
        bridgeRows = List.copyOf(bridgeRows);
    }
}
