package dev.gavel.cli;

import dev.gavel.client.http.RemoteGateway;

/** Gives a command that talks to a server its connection, its output and its environment. */
public record ClientCommandContext(RemoteGateway gateway, CommandOutput output, CommandEnvironment environment) {}
