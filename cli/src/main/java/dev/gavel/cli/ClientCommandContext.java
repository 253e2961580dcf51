package dev.gavel.cli;

import dev.gavel.client.http.RemoteGateway;

/** The connection, output and environment of a command that talks to a server. */
public record ClientCommandContext(RemoteGateway gateway, CommandOutput output, CommandEnvironment environment) {}
