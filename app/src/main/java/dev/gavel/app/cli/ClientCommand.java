package dev.gavel.app.cli;

import dev.gavel.client.http.Access;
import dev.gavel.client.http.Problem;
import dev.gavel.client.http.RemoteException;
import dev.gavel.client.http.RemoteException.Refused;
import dev.gavel.client.http.RemoteException.Unreachable;
import dev.gavel.client.http.RemoteGateway;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.yaml.Nearest;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command that talks to a running server. What the server answers becomes one line and an exit code here. */
public abstract class ClientCommand implements Callable<Integer> {
    @Mixin
    private ClientOptions options = new ClientOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    /** Does what the command is for and gives its exit code. */
    protected abstract int run(Client client) throws RemoteException, InterruptedException;

    /** Where it prints. */
    protected PrintWriter out() {
        return spec.commandLine().getOut();
    }

    /** The exit code where the server refuses. */
    protected int refusedWith(Problem problem) {
        return ExitCode.NO;
    }

    /** What programs are told where the server refuses. */
    protected Json refusal(Problem problem) {
        return Json.write(json -> {
            json.writeStartObject();
            json.writeStringProperty("code", problem.code());
            json.writeStringProperty("detail", problem.detail());
            problem.proposal().ifPresent(id -> json.writeStringProperty("proposal", id));
            problem.state().ifPresent(state -> json.writeStringProperty("state", state));
            json.writeEndObject();
        });
    }

    /** Holds what was typed against what can be, before the server is asked. */
    protected void check() {}

    @Override
    public final Integer call() throws InterruptedException {
        GavelCommand root = (GavelCommand) spec.root().userObject();
        Surroundings here = root.surroundings();
        ClientOptions given = options.or(root.options());
        Screen screen = new Screen(
                spec.commandLine().getOut(),
                spec.commandLine().getErr(),
                given.json(),
                here.terminal()
                        && !given.colourless()
                        && here.variable("NO_COLOR").isEmpty(),
                here.terminal(),
                here::width);
        check();
        Access access = given.access(here, screen::warn);
        try (RemoteGateway gateway = new RemoteGateway(access)) {
            return run(new Client(gateway, screen, here));
        } catch (RemoteException e) {
            throw switch (e) {
                case Refused refused -> refused(refused.problem(), access, screen);
                case Unreachable away ->
                    told(
                            screen,
                            "unreachable",
                            new Complaint(ExitCode.UNREACHABLE, SafeText.line(away.getMessage() + advice(away))));
            };
        }
    }

    private static String advice(Unreachable e) {
        return e.sent() ? "" : "; start one with 'gavel serve', or say where it is with --url or GAVEL_URL";
    }

    /** Programs are told what people are. */
    private static Complaint told(Screen screen, String code, Complaint complaint) {
        screen.document(Json.write(json -> {
                    json.writeStartObject();
                    json.writeStringProperty("code", code);
                    json.writeStringProperty("detail", complaint.getMessage());
                    json.writeEndObject();
                })
                .raw());
        return complaint;
    }

    private Complaint refused(Problem problem, Access access, Screen screen) {
        if (problem.status() == 401) {
            String known = access.token().isPresent()
                    ? " does not know this token; give another "
                    : " asks for a token; give one ";
            return told(
                    screen,
                    problem.code(),
                    new Complaint(
                            ExitCode.USAGE, "the server at " + access + known + ClientOptions.HOW_TO_GIVE_A_TOKEN));
        }
        screen.document(refusal(problem).raw());
        String later = problem.retryAfterMillis() > 0
                ? "; try again in " + Math.ceilDiv(problem.retryAfterMillis(), 1000) + " s"
                : "";
        return new Complaint(
                refusedWith(problem),
                SafeText.line(problem.detail()) + " (" + SafeText.line(problem.code()) + ")" + later);
    }

    /** Holds a word against those there are. */
    public static String oneOf(List<String> known, String word, String what) {
        if (known.contains(word)) {
            return word;
        }
        throw new Complaint(
                ExitCode.USAGE,
                "'" + SafeText.line(word) + "' is no " + what
                        + Nearest.to(word, known)
                                .map(near -> "; did you mean '" + near + "'?")
                                .orElse(": use " + String.join(", ", known)));
    }
}
