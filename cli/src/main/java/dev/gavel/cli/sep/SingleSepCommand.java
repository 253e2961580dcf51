package dev.gavel.cli.sep;

import dev.gavel.cli.ClientCommandContext;
import dev.gavel.sep.service.SepApiRoute;
import dev.gavel.sep.service.SepOperation;
import picocli.CommandLine.Parameters;

/** Base class of {@code gavel sep} commands that act on one SEP and take its number as their first parameter. */
abstract class SingleSepCommand extends SepClientCommand {
    @Parameters(
            index = "0",
            paramLabel = "N",
            converter = SepNumberConverter.class,
            description = "Number of the proposal.")
    private int number;

    SingleSepCommand(SepOperation sepOperation) {
        super(sepOperation);
    }

    @Override
    final SepApiRequest newRequest(ClientCommandContext clientCommandContext) {
        return withArguments(newRequest().with(SepApiRoute.NUMBER, (long) number), clientCommandContext);
    }

    /** Returns the request with the command's other arguments. */
    SepApiRequest withArguments(SepApiRequest sepApiRequest, ClientCommandContext clientCommandContext) {
        return sepApiRequest;
    }
}
