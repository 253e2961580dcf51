package dev.gavel.app.cli.sep;

import dev.gavel.app.cli.ExitCode;
import dev.gavel.app.cli.JsonOption;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** To be written. */
@Command(name = "lint", description = "To be written.", footerHeading = "%nExamples:%n", footer = "  gavel sep lint")
final class LintCommand implements Callable<Integer> {
    @Mixin
    @SuppressWarnings("UnusedVariable")
    private final JsonOption json = new JsonOption();

    @Override
    public Integer call() {
        return ExitCode.DONE;
    }
}
