package dev.gavel.gateway.docket;

import dev.gavel.gateway.proposal.Step;
import dev.gavel.mcpx.Kind;
import java.util.Optional;

/**
 * Something that happened to a proposal of a topic, among everything that happened there. Immutable.
 *
 * @param call what was proposed; nothing where that is not kept, or was too much to read
 */
public record Happening(long seq, String proposal, Optional<Kind> call, Step step) {}
