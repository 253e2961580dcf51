package dev.gavel.cli;

import dev.gavel.client.http.RemoteGateway;

/** What a command that talks to a server works with. */
public record ClientCommandContext(RemoteGateway gateway, CommandOutput output, CommandEnvironment environment) {}
