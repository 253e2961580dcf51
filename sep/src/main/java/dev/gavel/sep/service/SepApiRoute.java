package dev.gavel.sep.service;

import dev.gavel.mcpx.json.Json;
import java.util.List;

/**
 * The HTTP method and path of one SEP operation, used by the server to register routes and by the command line to send
 * requests. Immutable.
 *
 * @param path the path, with {@code :number} in the position of a SEP's number
 */
public record SepApiRoute(String method, String path, SepOperation operation) {
    /** The name of a SEP's number in the arguments and in the path. */
    public static final String NUMBER = "number";

    private static final String COLLECTION_PATH = "/seps";
    private static final String ITEM_PATH = COLLECTION_PATH + "/:" + NUMBER;
    private static final String GET = "GET";
    private static final String POST = "POST";

    /** All routes. Fixed paths come before paths with a number. */
    public static final List<SepApiRoute> ENDPOINTS = List.of(
            new SepApiRoute(GET, COLLECTION_PATH, SepOperation.LIST),
            new SepApiRoute(POST, COLLECTION_PATH, SepOperation.SUBMIT),
            collectionEndpoint(GET, SepOperation.INBOX),
            collectionEndpoint(GET, SepOperation.TRIAGE),
            collectionEndpoint(GET, SepOperation.MAINTAINERS),
            collectionEndpoint(GET, SepOperation.STATS),
            collectionEndpoint(POST, SepOperation.SIMILAR),
            collectionEndpoint(GET, SepOperation.SIMILAR),
            collectionEndpoint(POST, SepOperation.LINT),
            collectionEndpoint(POST, SepOperation.IMPORT),
            collectionEndpoint(POST, SepOperation.SWEEP),
            new SepApiRoute(GET, ITEM_PATH, SepOperation.SHOW),
            new SepApiRoute("PUT", ITEM_PATH, SepOperation.EDIT),
            itemEndpoint(GET, SepOperation.NEXT),
            itemEndpoint(GET, SepOperation.EXPLAIN),
            itemEndpoint(GET, SepOperation.HISTORY),
            itemEndpoint(GET, SepOperation.DIFF),
            new SepApiRoute(GET, ITEM_PATH + "/document", SepOperation.EXPORT),
            itemEndpoint(POST, SepOperation.ASK),
            itemEndpoint(POST, SepOperation.SPONSOR),
            itemEndpoint(POST, SepOperation.STEP_DOWN),
            itemEndpoint(POST, SepOperation.MOVE),
            itemEndpoint(POST, SepOperation.COMMENT),
            itemEndpoint(POST, SepOperation.ATTACH),
            itemEndpoint(POST, SepOperation.CONFIRM),
            itemEndpoint(POST, SepOperation.VOTE),
            itemEndpoint(POST, SepOperation.HOLD),
            itemEndpoint(POST, SepOperation.RELEASE),
            itemEndpoint(POST, SepOperation.WITHDRAW),
            itemEndpoint(POST, SepOperation.SUPERSEDE),
            itemEndpoint(POST, SepOperation.TRANSFER));

    private static SepApiRoute collectionEndpoint(String method, SepOperation sepOperation) {
        return new SepApiRoute(method, COLLECTION_PATH + "/" + sepOperation.wireName(), sepOperation);
    }

    private static SepApiRoute itemEndpoint(String method, SepOperation sepOperation) {
        return new SepApiRoute(method, ITEM_PATH + "/" + sepOperation.wireName(), sepOperation);
    }

    /** Returns the preferred route to an operation. */
    public static SepApiRoute forOperation(SepOperation sepOperation) {
        return ENDPOINTS.stream()
                .filter(endpoint -> endpoint.operation() == sepOperation)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no route for '" + sepOperation.wireName() + "'"));
    }

    /** Whether the path contains the number of a SEP. */
    public boolean hasNumber() {
        return path.startsWith(ITEM_PATH);
    }

    /** Whether the arguments are in the query string. */
    public boolean usesQuery() {
        return method.equals(GET);
    }

    /** Returns the path for arguments. */
    public String pathFor(Json arguments) {
        return hasNumber() ? path.replace(":" + NUMBER, arguments.at(NUMBER).text()) : path;
    }
}
