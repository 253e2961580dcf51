package dev.gavel.app.edge.console.sepact;

import dev.gavel.app.edge.console.sepact.Counter.Question;
import dev.gavel.app.edge.console.session.Fields;
import dev.gavel.app.edge.console.session.Guard;
import dev.gavel.app.edge.console.session.Replies;
import dev.gavel.app.edge.console.session.Visitor;
import dev.gavel.app.edge.console.session.Waiting;
import dev.gavel.console.Frame;
import dev.gavel.console.sep.act.ActForm;
import dev.gavel.console.sep.act.ActForms;
import dev.gavel.console.sep.act.ActPage;
import dev.gavel.console.sep.act.ActPages;
import dev.gavel.console.sep.act.Acts;
import dev.gavel.console.sep.act.Answered;
import dev.gavel.console.sep.act.Did;
import dev.gavel.console.sep.act.Typed;
import dev.gavel.lifecycle.process.Process;
import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.desk.Desk;
import dev.gavel.sep.desk.Reply;
import dev.gavel.sep.desk.Verb;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/** The forms by which people act on a SEP: each is a page of its own, or opens on the SEP's page. Thread-safe. */
public final class ActRoutes {
    private static final String PATH = "/console/seps/:number/act/:verb";

    private final Guard guard;
    private final Optional<Desk> desk;
    private final Process process;

    /**
     * The routes.
     *
     * @param desk none where there is no ledger to keep SEPs in
     */
    public ActRoutes(Guard guard, Optional<Desk> desk, Process process) {
        this.guard = guard;
        this.desk = desk;
        this.process = process;
    }

    public void mount(Router router) {
        router.get(PATH)
                .handler(context -> guard.page(
                        context,
                        visitor -> find(
                                context,
                                visitor,
                                act -> act.form(Map.of(), (forms, form) -> show(context, visitor, 200, form)))));
        router.post(PATH)
                .handler(context -> guard.form(
                        context,
                        (visitor, fields) ->
                                find(context, visitor, act -> send(context, visitor, act, typed(fields)))));
    }

    /** Something that somebody wants to do. */
    private record Act(RoutingContext context, Counter counter, Process process, long number, Verb verb, String to) {
        /** Goes on with its form, as things stand now. */
        void form(Map<String, String> typed, java.util.function.BiConsumer<ActForms, ActForm> then) {
            List<Question> questions =
                    new ArrayList<>(List.of(Question.about(Verb.SHOW, number), Question.about(Verb.EXPLAIN, number)));
            boolean naming = verb == Verb.ASK || verb == Verb.TRANSFER;
            if (naming) {
                questions.add(Question.of(Verb.MAINTAINERS));
            }
            counter.learn(context, questions, answers -> {
                ActForms forms =
                        new ActForms(answers.get(0), answers.get(1), naming ? answers.get(2) : Json.object(), process);
                then.accept(forms, forms.form(verb, to, typed));
            });
        }
    }

    private void find(RoutingContext context, Visitor visitor, Consumer<Act> then) {
        Optional<Long> number = Counter.number(context);
        Optional<Verb> verb = Acts.verb(Objects.requireNonNull(context.pathParam("verb")));
        if (number.isEmpty() || verb.isEmpty()) {
            Replies.refuse(context, 404, "Not found", "There is no such SEP, or nothing of that name can be done.");
            return;
        }
        String to = verb.get() == Verb.MOVE
                ? Objects.requireNonNullElse(context.request().getParam("to"), "")
                : "";
        Counter.open(
                context,
                desk,
                visitor,
                counter -> then.accept(new Act(context, counter, process, number.get(), verb.get(), to)));
    }

    private static Map<String, String> typed(Fields fields) {
        Map<String, String> typed = new LinkedHashMap<>();
        fields.values().keySet().forEach(name -> fields.whole(name).ifPresent(text -> typed.put(name, text)));
        return typed;
    }

    private static void send(RoutingContext context, Visitor visitor, Act act, Map<String, String> typed) {
        act.form(typed, (forms, form) -> {
            Optional<ActForm> incomplete = Answered.incomplete(form);
            if (incomplete.isPresent()) {
                show(context, visitor, 400, incomplete.get());
                return;
            }
            Json arguments = Typed.arguments(act.verb(), act.number(), act.to(), typed);
            Waiting.on(act.counter().ask(act.verb(), arguments), context, reply -> {
                if (reply instanceof Reply.Done) {
                    Replies.redirect(context, Did.after(act.number(), act.verb(), typed));
                } else {
                    show(context, visitor, Counter.status(reply), Answered.refused(form, reply));
                }
            });
        });
    }

    private static void show(RoutingContext context, Visitor visitor, int status, ActForm form) {
        Replies.page(
                context,
                status,
                Replies.byScript(context)
                        ? ActPages.form(form, visitor.csrf())
                        : ActPages.page(new ActPage(
                                visitor.frame(form.heading() + " · SEP-" + form.number(), Frame.Place.SEPS), form)));
    }
}
