package dev.gavel.mcp.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcp.bridge.Catalogue.Listing;
import dev.gavel.mcp.rpc.Message;
import dev.gavel.mcp.rpc.RpcError;
import dev.gavel.mcp.session.Session;
import dev.gavel.mcp.session.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@SuppressWarnings("NullAway.Init") // made before each test
final class CatalogueTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final List<Message.Request> asked = new ArrayList<>();
    private final Server server = new Server();
    private Catalogue catalogue;

    /** Introduces itself, and leaves everything else unanswered. */
    private final class Server implements Transport {
        private @Nullable Receiver receiver;

        @Override
        public void open(Receiver to) {
            receiver = to;
        }

        @Override
        public void send(Message message) {
            if (message instanceof Message.Request request) {
                if (request.method().equals("initialize")) {
                    say(new Message.Response(
                            request.id(), "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}}}"));
                } else if (request.method().equals("server/discover")) {
                    say(RpcError.METHOD_NOT_FOUND.failure(request.id(), "not here"));
                } else {
                    asked.add(request);
                }
            }
        }

        void say(Message message) {
            if (receiver != null) {
                receiver.received(message);
            }
        }

        @Override
        public void close() {}
    }

    private static final class Deaf implements Session.Events {
        @Override
        public void notified(Message.Notification notification) {}

        @Override
        public void lost(String why) {}
    }

    @BeforeEach
    void open() throws Exception {
        catalogue =
                new Catalogue(Session.open(() -> server, new Deaf(), new Session.ClientInfo("test", "1"), PATIENCE));
    }

    private void answer(int which, String result) {
        server.say(new Message.Response(asked.get(which).id(), result));
    }

    @Test
    void howeverOftenAListChangesOneIsFetchedAtATime() {
        CompletableFuture<Message.Answer> first = catalogue.ask(Listing.TOOLS);
        for (int i = 0; i < 10_000; i++) {
            catalogue.heard("notifications/tools/list_changed");
        }
        CompletableFuture<Message.Answer> later = catalogue.ask(Listing.TOOLS);
        assertThat(asked).hasSize(1);

        answer(0, "{\"tools\":[]}");
        assertThat(first).isDone();
        assertThat(later).isNotDone();
        assertThat(asked).hasSize(2);

        answer(1, "{\"tools\":[{}]}");
        assertThat(later).isDone();
        assertThat(asked).hasSize(2);
        assertThat(catalogue.count(Listing.TOOLS)).hasValue(1);
    }

    @Test
    void aListThatNeverComesIsAnErrorAndIsAskedForAgain() {
        CompletableFuture<Message.Answer> list = catalogue.ask(Listing.TOOLS);
        catalogue.giveUpAfter(Duration.ofHours(1));
        assertThat(list).isNotDone();
        catalogue.giveUpAfter(Duration.ZERO);
        assertThat(list).isCompletedWithValueMatching(answer -> answer instanceof Message.Failure);

        CompletableFuture<Message.Answer> again = catalogue.ask(Listing.TOOLS);
        answer(1, "{\"tools\":[]}");
        assertThat(again).isCompletedWithValueMatching(answer -> answer instanceof Message.Response);
    }

    @Test
    void aListIsJudgedLikeAnyResult() {
        CompletableFuture<Message.Answer> list = catalogue.ask(Listing.TOOLS);
        answer(0, "{\"resultType\":null,\"tools\":[{ }]}");
        assertThat(list)
                .isCompletedWithValueMatching(answer -> answer instanceof Message.Response(String _, String result)
                        && result.equals("{\"tools\":[{ }]}"));
    }
}
