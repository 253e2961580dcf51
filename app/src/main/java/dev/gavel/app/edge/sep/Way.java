package dev.gavel.app.edge.sep;

import dev.gavel.sep.desk.Verb;
import io.vertx.core.http.HttpMethod;
import java.util.List;

/**
 * Which verb a method of a path is. Immutable.
 *
 * @param path as Vert.x writes it
 */
record Way(HttpMethod method, String path, Verb verb) {
    /** What a path calls a proposal's number. */
    static final String NUMBER = "number";

    private static final String ALL = "/seps";
    private static final String ONE = ALL + "/:" + NUMBER;

    /** All there are; what has a name comes before what has a number. */
    static final List<Way> ALL_OF_THEM = List.of(
            new Way(HttpMethod.GET, ALL, Verb.LIST),
            new Way(HttpMethod.POST, ALL, Verb.SUBMIT),
            among(HttpMethod.GET, Verb.INBOX),
            among(HttpMethod.GET, Verb.TRIAGE),
            among(HttpMethod.GET, Verb.MAINTAINERS),
            among(HttpMethod.GET, Verb.STATS),
            among(HttpMethod.GET, Verb.SIMILAR),
            among(HttpMethod.POST, Verb.SIMILAR),
            among(HttpMethod.POST, Verb.LINT),
            among(HttpMethod.POST, Verb.IMPORT),
            among(HttpMethod.POST, Verb.SWEEP),
            new Way(HttpMethod.GET, ONE, Verb.SHOW),
            new Way(HttpMethod.PUT, ONE, Verb.EDIT),
            of(HttpMethod.GET, Verb.NEXT),
            of(HttpMethod.GET, Verb.EXPLAIN),
            of(HttpMethod.GET, Verb.HISTORY),
            new Way(HttpMethod.GET, ONE + "/document", Verb.EXPORT),
            of(HttpMethod.POST, Verb.ASK),
            of(HttpMethod.POST, Verb.SPONSOR),
            of(HttpMethod.POST, Verb.STEP_DOWN),
            of(HttpMethod.POST, Verb.MOVE),
            of(HttpMethod.POST, Verb.COMMENT),
            of(HttpMethod.POST, Verb.ATTACH),
            of(HttpMethod.POST, Verb.VOTE),
            of(HttpMethod.POST, Verb.HOLD),
            of(HttpMethod.POST, Verb.RELEASE),
            of(HttpMethod.POST, Verb.WITHDRAW),
            of(HttpMethod.POST, Verb.SUPERSEDE),
            of(HttpMethod.POST, Verb.TRANSFER));

    private static Way among(HttpMethod method, Verb verb) {
        return new Way(method, ALL + "/" + verb.word(), verb);
    }

    private static Way of(HttpMethod method, Verb verb) {
        return new Way(method, ONE + "/" + verb.word(), verb);
    }

    /** Whether the path says which proposal it is about. */
    boolean numbered() {
        return path.startsWith(ONE);
    }
}
