package dev.gavel.app.interop;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Builds the command line that runs {@code gavel} from the classes under test. Stateless. */
public final class GavelProcessCommand {
    private GavelProcessCommand() {}

    public static List<String> command(String... words) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx128m",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                "dev.gavel.app.Main"));
        command.addAll(List.of(words));
        return List.copyOf(command);
    }
}
