package dev.gavel.app.sepdesk;

import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.desk.Verb;
import java.util.List;

/**
 * Which verb a method of a path is: what the server serves and the command line asks for. Immutable.
 *
 * @param path with {@code :number} where a proposal's number stands
 */
public record Route(String method, String path, Verb verb) {
    /** What the arguments call a proposal's number, and the path too. */
    public static final String NUMBER = "number";

    private static final String ALL = "/seps";
    private static final String ONE = ALL + "/:" + NUMBER;
    private static final String GET = "GET";
    private static final String POST = "POST";

    /** All there are; what has a name comes before what has a number. */
    public static final List<Route> EVERY = List.of(
            new Route(GET, ALL, Verb.LIST),
            new Route(POST, ALL, Verb.SUBMIT),
            among(GET, Verb.INBOX),
            among(GET, Verb.TRIAGE),
            among(GET, Verb.MAINTAINERS),
            among(GET, Verb.STATS),
            among(POST, Verb.SIMILAR),
            among(GET, Verb.SIMILAR),
            among(POST, Verb.LINT),
            among(POST, Verb.IMPORT),
            among(POST, Verb.SWEEP),
            new Route(GET, ONE, Verb.SHOW),
            new Route("PUT", ONE, Verb.EDIT),
            of(GET, Verb.NEXT),
            of(GET, Verb.EXPLAIN),
            of(GET, Verb.HISTORY),
            new Route(GET, ONE + "/document", Verb.EXPORT),
            of(POST, Verb.ASK),
            of(POST, Verb.SPONSOR),
            of(POST, Verb.STEP_DOWN),
            of(POST, Verb.MOVE),
            of(POST, Verb.COMMENT),
            of(POST, Verb.ATTACH),
            of(POST, Verb.VOTE),
            of(POST, Verb.HOLD),
            of(POST, Verb.RELEASE),
            of(POST, Verb.WITHDRAW),
            of(POST, Verb.SUPERSEDE),
            of(POST, Verb.TRANSFER));

    private static Route among(String method, Verb verb) {
        return new Route(method, ALL + "/" + verb.word(), verb);
    }

    private static Route of(String method, Verb verb) {
        return new Route(method, ONE + "/" + verb.word(), verb);
    }

    /** The usual way to a verb. */
    public static Route to(Verb verb) {
        return EVERY.stream()
                .filter(route -> route.verb() == verb)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no way to '" + verb.word() + "'"));
    }

    /** Whether the path says which proposal it is about. */
    public boolean numbered() {
        return path.startsWith(ONE);
    }

    /** Whether arguments stand in the query. */
    public boolean queried() {
        return method.equals(GET);
    }

    /** The path for these arguments. */
    public String at(Json arguments) {
        return numbered() ? path.replace(":" + NUMBER, arguments.at(NUMBER).text()) : path;
    }
}
