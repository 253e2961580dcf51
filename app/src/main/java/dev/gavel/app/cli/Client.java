package dev.gavel.app.cli;

import dev.gavel.client.http.RemoteGateway;

/** What a command that talks to a server works with. */
public record Client(RemoteGateway gateway, Screen screen, Surroundings here) {}
