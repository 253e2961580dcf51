package dev.gavel.app.cli;

import dev.gavel.client.http.RemoteGateway;
import java.time.ZoneId;

/**
 * What a command that talks to a server works with.
 *
 * @param zone in which times are shown
 */
record Client(RemoteGateway gateway, Screen screen, ZoneId zone) {}
