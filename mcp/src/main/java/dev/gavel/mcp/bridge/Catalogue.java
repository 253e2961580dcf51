package dev.gavel.mcp.bridge;

import dev.gavel.mcp.rpc.Message;
import dev.gavel.mcp.rpc.RpcError;
import dev.gavel.mcp.session.Session;
import dev.gavel.mcpx.json.Json;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;

/**
 * What a server offers: its lists, each fetched once with all its pages, and again when the server says that it changed.
 * Thread-safe.
 */
final class Catalogue {
    private static final int MOST_PAGES = 1000;
    private static final int LONGEST = 32 * 1024 * 1024;

    /** One of MCP's lists. */
    enum Listing {
        TOOLS("tools/list", "tools", "tools"),
        PROMPTS("prompts/list", "prompts", "prompts"),
        RESOURCES("resources/list", "resources", "resources"),
        TEMPLATES("resources/templates/list", "resourceTemplates", "resources");

        private final String method;
        private final String field;
        private final String capability;

        Listing(String method, String field, String capability) {
            this.method = method;
            this.field = field;
            this.capability = capability;
        }

        /** The list that is asked for by that method. */
        static Optional<Listing> by(String method) {
            return Arrays.stream(values())
                    .filter(each -> each.method.equals(method))
                    .findFirst();
        }

        String capability() {
            return capability;
        }

        /** What the server says when it changed. */
        String changed() {
            return Notices.PREFIX + capability + "/list_changed";
        }
    }

    private final Session session;
    private final Map<Listing, CompletableFuture<Message.Answer>> lists = new LinkedHashMap<>();

    Catalogue(Session session) {
        this.session = session;
    }

    /** A list, fetched where it is not here; the id of the answer is nobody's. */
    CompletableFuture<Message.Answer> ask(Listing listing) {
        CompletableFuture<Message.Answer> fetched = new CompletableFuture<>();
        synchronized (this) {
            CompletableFuture<Message.Answer> known = lists.get(listing);
            if (known != null) {
                return known;
            }
            lists.put(listing, fetched);
        }
        if (session.offers(listing.capability)) {
            new Fetch(listing, fetched).page(Optional.empty());
        } else {
            fetched.complete(empty(listing));
        }
        return fetched;
    }

    /** Forgets what a notification says has changed. */
    synchronized void heard(String notification) {
        for (Listing listing : Listing.values()) {
            if (listing.changed().equals(notification)) {
                lists.remove(listing);
            }
        }
    }

    private synchronized void forget(Listing listing, CompletableFuture<Message.Answer> failed) {
        lists.remove(listing, failed);
    }

    /** How many of something there are, as far as that is known. */
    OptionalInt count(Listing listing) {
        CompletableFuture<Message.Answer> known;
        synchronized (this) {
            known = lists.get(listing);
        }
        return known != null && known.isDone() && known.join() instanceof Message.Response(String _, String result)
                ? OptionalInt.of(Json.parse(result)
                        .map(list -> list.at(listing.field).elements().size())
                        .orElse(0))
                : OptionalInt.empty();
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

        Fetch(Listing listing, CompletableFuture<Message.Answer> whole) {
            this.listing = listing;
            this.whole = whole;
        }

        void page(Optional<String> cursor) {
            pages++;
            session.ask(
                    session.nextId(),
                    listing.method,
                    cursor.map(raw -> "{\"cursor\":" + raw + "}"),
                    answer -> took(answer));
        }

        private void took(Message.Answer answer) {
            switch (answer) {
                case Message.Failure failure
                when failure.code() == RpcError.METHOD_NOT_FOUND.code() -> whole.complete(empty(listing));
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
            if (last && pages == 1) {
                // All of it at once: as it was written.
                whole.complete(response);
                return;
            }
            for (Json item : list.elements()) {
                items.append(items.isEmpty() ? "" : ",").append(item.raw());
            }
            if (last) {
                whole.complete(new Message.Response("null", "{\"" + listing.field + "\":[" + items + "]}"));
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
            whole.complete(failure);
        }
    }
}
