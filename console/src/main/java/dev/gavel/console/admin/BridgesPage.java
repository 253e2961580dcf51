package dev.gavel.console.admin;

import dev.gavel.console.Frame;
import java.util.List;

/** The page of bridges. */
public record BridgesPage(Frame frame, List<Bridge> bridges) {
    public BridgesPage {
        bridges = List.copyOf(bridges);
    }
}
