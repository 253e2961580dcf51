package dev.gavel.app.edge.console.sepact;

import dev.gavel.app.edge.console.session.Replies;
import dev.gavel.app.edge.console.session.Visitor;
import dev.gavel.app.edge.console.session.Waiting;
import dev.gavel.console.sep.act.Answered;
import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.desk.Caller;
import dev.gavel.sep.desk.Desk;
import dev.gavel.sep.desk.Reply;
import dev.gavel.sep.desk.Verb;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** Where one visitor asks the desk, with the rights they have and no others. Immutable. */
record Counter(Desk desk, Visitor visitor) {
    private static final Pattern NUMBER = Pattern.compile("[1-9]\\d{0,8}");

    /** A question. */
    record Question(Verb verb, Json arguments) {
        static Question of(Verb verb) {
            return new Question(verb, Json.object());
        }

        static Question about(Verb verb, long number) {
            return new Question(verb, Json.object().with("number", Json.of(number)));
        }
    }

    /** The number in a path, where a SEP can have it. */
    static Optional<Long> number(RoutingContext context) {
        return Optional.ofNullable(context.pathParam("number"))
                .filter(text -> NUMBER.matcher(text).matches())
                .map(Long::parseLong);
    }

    /** Has somebody served where there is a desk. */
    static void open(RoutingContext context, Optional<Desk> desk, Visitor visitor, Consumer<Counter> then) {
        desk.ifPresentOrElse(
                it -> then.accept(new Counter(it, visitor)),
                () -> Replies.refuse(
                        context,
                        404,
                        "No SEPs here",
                        "Nothing is kept here, and so there are no SEPs: a topic must have 'ledger: on'."));
    }

    CompletionStage<Reply> ask(Verb verb, Json arguments) {
        return desk.ask(new Caller(visitor.id(), visitor.identity().roles()), verb, arguments);
    }

    /** Goes on with all answers; where one of them is a no, the visitor is told so. */
    void learn(RoutingContext context, List<Question> questions, Consumer<List<Json>> then) {
        List<CompletableFuture<Reply>> coming = questions.stream()
                .map(question -> ask(question.verb(), question.arguments()).toCompletableFuture())
                .toList();
        CompletableFuture<List<Reply>> all = CompletableFuture.allOf(coming.toArray(CompletableFuture[]::new))
                .thenApply(done -> coming.stream().map(CompletableFuture::join).toList());
        Waiting.on(all, context, replies -> {
            List<Json> answers = new ArrayList<>();
            for (Reply reply : replies) {
                if (reply instanceof Reply.Done(Json body)) {
                    answers.add(body);
                } else {
                    Replies.refuse(context, status(reply), heading(reply), Answered.words(reply));
                    return;
                }
            }
            then.accept(answers);
        });
    }

    private static String heading(Reply reply) {
        return reply instanceof Reply.Unknown ? "Not found" : "Not now";
    }

    /** What a reply is over HTTP. */
    static int status(Reply reply) {
        return switch (reply) {
            case Reply.Done _ -> 200;
            case Reply.Refused refused -> refused.code().equals("not-allowed") ? 403 : 409;
            case Reply.Wrong _ -> 400;
            case Reply.Unknown _ -> 404;
            case Reply.Unavailable _ -> 503;
        };
    }
}
