package dev.gavel.mcp.bridge;

import dev.gavel.mcp.rpc.ListChange;
import dev.gavel.mcp.rpc.Message;
import dev.gavel.mcp.rpc.RpcError;
import dev.gavel.mcp.session.Session;
import dev.gavel.mcpx.json.Json;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What a server offers: its lists, each fetched once with all its pages, and again when the server says that it changed.
 * Thread-safe.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a list that is fetched early waits for whoever asks
final class Catalogue {
    private static final int MOST_PAGES = 1000;
    private static final int LONGEST = 32 * 1024 * 1024;

    /** One of MCP's lists. */
    enum Listing {
        TOOLS("tools/list", "tools", ListChange.TOOLS),
        PROMPTS("prompts/list", "prompts", ListChange.PROMPTS),
        RESOURCES("resources/list", "resources", ListChange.RESOURCES),
        TEMPLATES("resources/templates/list", "resourceTemplates", ListChange.RESOURCES);

        private final String method;
        private final String field;
        private final ListChange change;

        Listing(String method, String field, ListChange change) {
            this.method = method;
            this.field = field;
            this.change = change;
        }

        /** The list that is asked for by that method. */
        static Optional<Listing> by(String method) {
            return Arrays.stream(values())
                    .filter(each -> each.method.equals(method))
                    .findFirst();
        }

        String capability() {
            return change.capability();
        }

        /** What the server says when it changed. */
        String changed() {
            return change.notification();
        }
    }

    private final Session session;
    private final Map<Listing, CompletableFuture<Message.Answer>> lists = new LinkedHashMap<>();
    private final Map<Listing, Fetch> underWay = new EnumMap<>(Listing.class);

    /** What is fetched when what is under way is done: however often a list changes, no more than this waits. */
    private final Map<Listing, CompletableFuture<Message.Answer>> next = new EnumMap<>(Listing.class);

    private final Map<Listing, Integer> counts = new ConcurrentHashMap<>();

    Catalogue(Session session) {
        this.session = session;
    }

    /** A list, fetched where it is not here; the id of the answer is nobody's. */
    CompletableFuture<Message.Answer> ask(Listing listing) {
        CompletableFuture<Message.Answer> fetched = new CompletableFuture<>();
        boolean offered = session.offers(listing.capability());
        Fetch fetch = new Fetch(listing, fetched);
        synchronized (this) {
            CompletableFuture<Message.Answer> known = lists.get(listing);
            if (known != null) {
                return known;
            }
            lists.put(listing, fetched);
            if (offered && underWay.putIfAbsent(listing, fetch) != null) {
                next.put(listing, fetched);
                return fetched;
            }
        }
        if (offered) {
            fetch.page(Optional.empty());
        } else {
            fetched.complete(empty(listing));
        }
        return fetched;
    }

    /** One is done; the next of its kind may begin. */
    private void done(Fetch fetch, Message.Answer answer) {
        Fetch following = null;
        synchronized (this) {
            if (!underWay.remove(fetch.listing, fetch)) {
                return;
            }
            CompletableFuture<Message.Answer> waiting = next.remove(fetch.listing);
            if (waiting != null) {
                following = new Fetch(fetch.listing, waiting);
                underWay.put(fetch.listing, following);
            }
        }
        fetch.whole.complete(answer);
        if (following != null) {
            following.page(Optional.empty());
        }
    }

    /** Counts as failed what has waited so long for a page. */
    void giveUpAfter(Duration patience) {
        List<Fetch> all;
        synchronized (this) {
            all = List.copyOf(underWay.values());
        }
        all.forEach(fetch -> fetch.giveUpAfter(patience));
    }

    /** Fetches again what a notification says has changed; whoever asks meanwhile waits for that. */
    void heard(String notification) {
        for (Listing listing : Listing.values()) {
            if (listing.changed().equals(notification)) {
                synchronized (this) {
                    if (next.containsKey(listing)) {
                        continue;
                    }
                    lists.remove(listing);
                }
                ask(listing);
            }
        }
    }

    private synchronized void forget(Listing listing, CompletableFuture<Message.Answer> failed) {
        lists.remove(listing, failed);
    }

    /** How many of something there were when that was asked last; nothing where it was not, or not said. */
    OptionalInt count(Listing listing) {
        Integer known = counts.get(listing);
        return known == null ? OptionalInt.empty() : OptionalInt.of(known);
    }

    private static Message.Answer empty(Listing listing) {
        return new Message.Response("null", "{\"" + listing.field + "\":[]}");
    }

    /** One list on its way, page after page. */
    private final class Fetch {
        private final Listing listing;
        private final CompletableFuture<Message.Answer> whole;
        private final StringBuilder items = new StringBuilder();
        private int pages;
        private int count;
        private volatile String asked = "";
        private volatile long since = System.nanoTime();

        Fetch(Listing listing, CompletableFuture<Message.Answer> whole) {
            this.listing = listing;
            this.whole = whole;
        }

        void page(Optional<String> cursor) {
            pages++;
            String id = session.nextId();
            since = System.nanoTime();
            asked = id;
            session.ask(id, listing.method, cursor.map(raw -> "{\"cursor\":" + raw + "}"), answer -> took(answer));
        }

        private void took(Message.Answer answer) {
            switch (answer) {
                case Message.Failure failure
                when failure.code() == RpcError.METHOD_NOT_FOUND.code() -> done(this, empty(listing));
                case Message.Failure failure -> fail(failure);
                case Message.Response response -> took(response);
            }
        }

        private void took(Message.Response response) {
            Optional<Json> page = Json.parse(response.result());
            Json list = page.map(each -> each.at(listing.field)).orElseGet(Json::object);
            if (page.isEmpty() || list.type() != Json.Type.ARRAY) {
                fail(RpcError.INTERNAL.failure(
                        "null", "the server's answer to '" + listing.method + "' is no list of " + listing.field));
                return;
            }
            Json next = page.get().at("nextCursor");
            boolean last = next.type() != Json.Type.TEXT;
            count += list.elements().size();
            if (last) {
                counts.put(listing, count);
            }
            if (last && pages == 1) {
                // All of it at once: as it was written.
                done(this, response);
                return;
            }
            for (Json item : list.elements()) {
                items.append(items.isEmpty() ? "" : ",").append(item.raw());
            }
            if (last) {
                done(this, new Message.Response("null", "{\"" + listing.field + "\":[" + items + "]}"));
            } else if (pages >= MOST_PAGES || items.length() > LONGEST) {
                fail(RpcError.UNSENDABLE.failure(
                        "null", "the server's list of " + listing.field + " has no end, or is far too long"));
            } else {
                page(Optional.of(next.raw()));
            }
        }

        private void fail(Message.Failure failure) {
            // Whoever asks next may have better luck.
            forget(listing, whole);
            done(this, failure);
        }

        void giveUpAfter(Duration patience) {
            if (!asked.isEmpty() && System.nanoTime() - since >= patience.toNanos()) {
                session.forget(asked);
                fail(RpcError.UNAVAILABLE.failure(
                        "null",
                        "the server did not answer '" + listing.method + "' within " + patience.toSeconds() + " s"));
            }
        }
    }
}
