package dev.gavel.app.cli;

import dev.gavel.app.build.Build;
import dev.gavel.app.config.KeptValue;
import dev.gavel.app.log.LogFormat;
import dev.gavel.app.log.LogLevel;
import dev.gavel.app.log.LogSetup;
import dev.gavel.client.Gavel;
import dev.gavel.client.Token;
import dev.gavel.client.http.Access;
import dev.gavel.client.http.RemoteException;
import dev.gavel.client.http.RemoteException.Refused;
import dev.gavel.client.http.RemoteException.Unreachable;
import dev.gavel.client.http.RemoteGateway;
import dev.gavel.mcp.bridge.Bridge;
import dev.gavel.mcp.bridge.ClientVenue;
import dev.gavel.mcp.bridge.Restarts;
import dev.gavel.mcp.bridge.Status;
import dev.gavel.mcp.session.Endpoint;
import dev.gavel.mcp.session.Launch;
import dev.gavel.mcp.session.Session;
import dev.gavel.mcp.session.Target;
import dev.gavel.mcpx.Limits;
import dev.gavel.mcpx.MemberId;
import dev.gavel.mcpx.Parsed;
import dev.gavel.mcpx.TopicName;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.net.URI;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Brings an MCP server into a topic of a gateway that runs elsewhere, for as long as both are there. */
@Command(
        name = "bridge",
        description = "Bring an MCP server into a topic.",
        optionListHeading = "%nOptions:%n",
        footerHeading = "%nExamples:%n",
        footer = {
            "  gavel bridge --topic main --name files -- \\",
            "      npx -y @modelcontextprotocol/server-filesystem ./data",
            "  gavel bridge --topic main --name search --url https://example.org/mcp \\",
            "      --header Authorization=env:SEARCH_AUTH",
            "",
            "The token says who the bridge is, and must be that of --name. It needs the",
            "capabilities mcp.response.* and mcp.request.notifications/* in the topic. The",
            "program gets PATH, HOME, USER, LANG and what --env says, nothing else. This",
            "ends when the program ends; 'bridges:' in gavel.yaml starts it again.",
        })
final class BridgeCommand implements Callable<Integer> {
    @Option(names = "--topic", paramLabel = "TOPIC", required = true, description = "The topic's name.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String topic;

    @Option(
            names = "--name",
            paramLabel = "NAME",
            required = true,
            description = "The member that the server is in the topic.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String name;

    @Option(names = "--url", paramLabel = "URL", description = "An MCP server to reach, instead of one to start.")
    private @Nullable String url;

    @Option(
            names = "--header",
            paramLabel = "NAME=VALUE",
            description = "Sent with every request to --url; the value may be env:NAME or file:PATH.")
    private List<String> headers = new ArrayList<>();

    @Option(
            names = "--env",
            paramLabel = "NAME=VALUE",
            description = "A variable for the program; the value may be env:NAME or file:PATH.")
    private List<String> env = new ArrayList<>();

    @Option(names = "--cwd", paramLabel = "DIR", description = "Where the program runs.")
    private @Nullable Path cwd;

    @Option(
            names = "--gateway",
            paramLabel = "URL",
            description = "Where the gateway is (or GAVEL_URL). Default: http://127.0.0.1:4285.")
    private @Nullable String gateway;

    @Option(
            names = "--token",
            paramLabel = "TOKEN",
            description = "The bridge's token: env:NAME or file:PATH (or GAVEL_TOKEN).")
    private @Nullable String token;

    @Option(names = "--json", description = "Print JSON for programs, and nothing else.")
    private boolean json;

    @Parameters(arity = "0..*", paramLabel = "COMMAND", description = "After --: the program and its arguments.")
    private List<String> command = new ArrayList<>();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        GavelCommand root = (GavelCommand) spec.root().userObject();
        Surroundings here = root.surroundings();
        ClientOptions options = ClientOptions.of(gateway, token, json).or(root.options());
        PrintWriter err = spec.commandLine().getErr();
        check(TopicName.parse(topic));
        check(MemberId.parse(name));
        Target target = target(here);
        Access access = options.access(here, err::println);
        String secret = access.token()
                .orElseThrow(() -> new Complaint(
                        ExitCode.USAGE,
                        "a bridge needs the token of '" + name + "'; give one " + ClientOptions.HOW_TO_GIVE_A_TOKEN
                                + ". An admin makes it with: " + ClientVenue.howToMakeAToken(name, topic)));
        LogSetup.use(LogFormat.TEXT, LogLevel.INFO);
        identify(access);
        Bridge bridge = new Bridge(
                name,
                topic,
                () -> target.transport(name),
                new ClientVenue(
                        () -> Gavel.at(
                                        access.url().toString(),
                                        access.others().stream().map(URI::toString).toArray(String[]::new))
                                .token(Token.of(secret))
                                .topic(topic),
                        name),
                new Session.ClientInfo("gavel", Build.version()),
                Limits.DEFAULT,
                target instanceof Launch ? Restarts.NEVER : Restarts.USUAL);
        bridge.whenUp(up -> announce(up, options.json()));
        return run(bridge, here);
    }

    private int run(Bridge bridge, Surroundings here) throws InterruptedException {
        try (OnInterrupt _ = new OnInterrupt(() -> {
            bridge.close();
            if (here.alone()) {
                Runtime.getRuntime().halt(ExitCode.DONE);
            }
        })) {
            bridge.start();
            String why = bridge.over().get();
            if (why.isEmpty()) {
                return ExitCode.DONE;
            }
            throw new Complaint(ExitCode.NO, "'" + name + "' is bridged no more: " + SafeText.line(why));
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        } finally {
            bridge.close();
        }
    }

    private static void check(Parsed<?> parsed) {
        if (parsed instanceof Parsed.Invalid<?>(String problem)) {
            throw new Complaint(ExitCode.USAGE, SafeText.line(problem));
        }
    }

    private Target target(Surroundings here) {
        if (command.isEmpty() == (url == null)) {
            throw new Complaint(
                    ExitCode.USAGE,
                    "say either which program to start, after --, or with --url which MCP server to reach");
        }
        if (url == null) {
            if (!headers.isEmpty()) {
                throw new Complaint(ExitCode.USAGE, "--header goes with --url");
            }
            if (cwd != null && !Files.isDirectory(cwd)) {
                throw new Complaint(ExitCode.USAGE, "--cwd: there is no directory " + cwd);
            }
            Map<String, String> set = values("--env", env, here);
            set.forEach((key, value) -> {
                if (!Launch.settable(key, value)) {
                    throw new Complaint(
                            ExitCode.USAGE, "the variable '" + SafeText.line(key) + "' cannot be set: it has a NUL");
                }
            });
            return new Launch(command, set, Optional.ofNullable(cwd));
        }
        if (!env.isEmpty() || cwd != null) {
            throw new Complaint(ExitCode.USAGE, "--env and --cwd go with a program to start");
        }
        Map<String, String> sent = values("--header", headers, here);
        sent.forEach((key, value) -> {
            if (!Endpoint.sendable(key, value)) {
                throw new Complaint(ExitCode.USAGE, "the header '" + SafeText.line(key) + "' cannot be sent in HTTP");
            }
        });
        return new Endpoint(
                Endpoint.url(url)
                        .orElseThrow(() -> new Complaint(
                                ExitCode.USAGE,
                                "--url must be the address of an MCP server, such as https://example.org/mcp")),
                sent);
    }

    private static Map<String, String> values(String option, List<String> given, Surroundings here) {
        Map<String, String> values = new LinkedHashMap<>();
        for (String each : given) {
            int equals = each.indexOf('=');
            if (equals < 1) {
                throw new Complaint(ExitCode.USAGE, option + " is NAME=VALUE");
            }
            switch (KeptValue.read(each.substring(equals + 1), here.environment())) {
                case Parsed.Valid<String>(String value) -> values.put(each.substring(0, equals), value);
                case Parsed.Invalid<String>(String problem) -> throw new Complaint(ExitCode.USAGE, problem);
            }
        }
        return values;
    }

    /** Asks who the token's owner is before a server is started, and perhaps downloaded, for nothing. */
    private void identify(Access access) throws InterruptedException {
        try (RemoteGateway server = new RemoteGateway(access)) {
            Json you = server.topics().at("topics").elements().stream()
                    .filter(each -> each.at("name").text().equals(topic))
                    .findFirst()
                    .map(each -> each.at("you"))
                    .filter(Json::there)
                    .orElseThrow(() -> new Complaint(
                            ExitCode.NO,
                            "there is no topic '" + topic + "', or whose token this is is no member of it"));
            String owner = you.at("id").text();
            if (!owner.equals(name)) {
                throw new Complaint(ExitCode.USAGE, SafeText.line(ClientVenue.isSomebodyElse(owner, name, topic)));
            }
        } catch (RemoteException e) {
            throw switch (e) {
                case Refused refused
                when refused.problem().status() == 401 ->
                    new Complaint(
                            ExitCode.USAGE,
                            "the gateway at " + access + " does not know this token; give another "
                                    + ClientOptions.HOW_TO_GIVE_A_TOKEN);
                case Refused refused ->
                    new Complaint(ExitCode.NO, SafeText.line(refused.problem().detail()));
                case Unreachable away ->
                    new Complaint(
                            ExitCode.UNREACHABLE,
                            SafeText.line(
                                    away.getMessage() + "; say where the gateway is with --gateway or GAVEL_URL"));
            };
        }
    }

    private void announce(Status up, boolean forPrograms) {
        PrintWriter out = spec.commandLine().getOut();
        if (forPrograms) {
            out.println(Json.write(document -> {
                document.writeStartObject();
                document.writeStringProperty("bridge", up.name());
                document.writeStringProperty("topic", up.topic());
                up.tools().ifPresent(tools -> document.writeNumberProperty("tools", tools));
                up.version().ifPresent(version -> document.writeStringProperty("mcp", version));
                document.writeEndObject();
            }));
        } else {
            out.println("'" + up.name() + "' is bridged into topic '" + up.topic() + "'"
                    + up.offer().map(tools -> ", with " + tools).orElse(""));
        }
        out.flush();
    }
}
