package dev.gavel.app.cli.sep;

import dev.gavel.app.cli.Client;
import dev.gavel.app.sepdesk.Route;
import dev.gavel.sep.desk.Verb;
import picocli.CommandLine.Parameters;

/** A command about one proposal. */
abstract class AboutOneCommand extends DeskCommand {
    @Parameters(index = "0", paramLabel = "N", converter = SepNumber.class, description = "The SEP's number.")
    private int number;

    AboutOneCommand(Verb verb) {
        super(verb);
    }

    @Override
    final Asking asking(Client client) {
        return filled(asking().with(Route.NUMBER, (long) number), client);
    }

    /** With what else is asked. */
    Asking filled(Asking asking, Client client) {
        return asking;
    }
}
