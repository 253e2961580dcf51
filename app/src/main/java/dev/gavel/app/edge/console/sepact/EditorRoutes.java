package dev.gavel.app.edge.console.sepact;

import dev.gavel.app.edge.console.sepact.Counter.Question;
import dev.gavel.app.edge.console.session.Fields;
import dev.gavel.app.edge.console.session.Guard;
import dev.gavel.app.edge.console.session.Replies;
import dev.gavel.app.edge.console.session.Visitor;
import dev.gavel.app.edge.console.session.Waiting;
import dev.gavel.console.Frame;
import dev.gavel.console.sep.act.ActPages;
import dev.gavel.console.sep.act.Acts;
import dev.gavel.console.sep.act.Answered;
import dev.gavel.console.sep.act.Begin;
import dev.gavel.console.sep.act.Did;
import dev.gavel.console.sep.act.Editor;
import dev.gavel.lifecycle.process.Attribute;
import dev.gavel.lifecycle.process.Process;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.sep.desk.Desk;
import dev.gavel.sep.desk.LedgerDesk;
import dev.gavel.sep.desk.Reply;
import dev.gavel.sep.desk.Verb;
import dev.gavel.sep.document.Scaffold;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Where documents of SEPs are written: new ones, and those that are there. Thread-safe. */
public final class EditorRoutes {
    private static final String NEW = "/console/seps/new";
    private static final String EDIT = "/console/seps/:number/edit";

    /** A form is longer than the document in it: a letter of a script other than Latin is nine. */
    private static final int LONGEST = 9 * LedgerDesk.LONGEST_DOCUMENT + 64 * 1024;

    private static final int LONGEST_TITLE = 200;

    private final Guard guard;
    private final Optional<Desk> desk;
    private final Process process;
    private final InstantSource clock;
    private final Previews previews = new Previews();

    /**
     * The routes.
     *
     * @param desk none where there is no ledger to keep SEPs in
     */
    public EditorRoutes(Guard guard, Optional<Desk> desk, Process process, InstantSource clock) {
        this.guard = guard;
        this.desk = desk;
        this.process = process;
        this.clock = clock;
    }

    public void mount(Router router) {
        router.get(NEW)
                .handler(context -> guard.page(
                        context,
                        visitor -> Counter.open(context, desk, visitor, counter -> begin(context, visitor, counter))));
        router.post(NEW).handler(context -> written(context, this::submit));
        router.get(EDIT)
                .handler(context -> guard.page(
                        context,
                        visitor -> Counter.open(context, desk, visitor, counter -> open(context, visitor, counter))));
        router.post(EDIT).handler(context -> written(context, this::save));
        router.post("/console/seps/check").handler(context -> written(context, this::check));
    }

    /** What somebody wrote, and where they are served. */
    private record Written(RoutingContext context, Visitor visitor, Counter counter, Fields fields) {
        String text() {
            return fields.whole("document").orElse("");
        }

        boolean toBeChecked() {
            return fields.text("do").filter("check"::equals).isPresent();
        }
    }

    private void written(RoutingContext context, Consumer<Written> then) {
        guard.longForm(
                context,
                LONGEST,
                (visitor, fields) -> Counter.open(
                        context,
                        desk,
                        visitor,
                        counter -> then.accept(new Written(context, visitor, counter, fields))));
    }

    // --- a new one

    private void begin(RoutingContext context, Visitor visitor, Counter counter) {
        String title = Optional.ofNullable(context.request().getParam("title"))
                .map(String::strip)
                .orElse("");
        Optional<Attribute> types = Optional.ofNullable(process.attributes().get("type"));
        if (title.isEmpty()) {
            Replies.page(
                    context,
                    200,
                    ActPages.begin(new Begin(
                            visitor.frame("Begin a SEP", Frame.Place.SEPS),
                            types.map(type -> List.copyOf(type.values())).orElse(List.of()),
                            types.flatMap(Attribute::otherwise).orElse(""))));
            return;
        }
        String named = title.substring(0, Math.min(LONGEST_TITLE, title.length()));
        Optional<String> type = Optional.ofNullable(context.request().getParam("type"))
                .flatMap(word -> types.flatMap(known -> known.spelling(word)))
                .or(() -> types.flatMap(Attribute::otherwise));
        String text = Scaffold.text(
                named,
                List.of(author(visitor)),
                type,
                Scaffold.status(process),
                LocalDate.ofInstant(clock.instant(), ZoneId.systemDefault()));
        look(context, counter, fresh(visitor, named, text, false), 200);
    }

    private static String author(Visitor visitor) {
        String handle = visitor.identity().handles().stream().findFirst().orElse("@" + visitor.id());
        return visitor.identity().name() + " (" + handle + ")";
    }

    private static Editor fresh(Visitor visitor, String title, String text, boolean typed) {
        return Editor.of(
                visitor.frame("Write a SEP", Frame.Place.SEPS),
                Optional.empty(),
                SafeText.line(title),
                NEW,
                text,
                "",
                typed);
    }

    private void submit(Written written) {
        String title = written.fields().text("title").orElse("Write a SEP");
        Editor page = fresh(written.visitor(), title, written.text(), true);
        if (written.toBeChecked()) {
            look(written.context(), written.counter(), page, 200);
            return;
        }
        Json arguments = Json.object().with("document", Json.ofText(written.text()));
        Waiting.on(written.counter().ask(Verb.SUBMIT, arguments), written.context(), reply -> {
            if (reply instanceof Reply.Done(Json body)) {
                Replies.redirect(written.context(), Did.after(body.at("number").number(0), Verb.SUBMIT, Map.of()));
            } else {
                look(written.context(), written.counter(), page.back(Answered.words(reply)), Counter.status(reply));
            }
        });
    }

    // --- one that is there

    private void open(RoutingContext context, Visitor visitor, Counter counter) {
        numbered(
                context,
                number -> counter.learn(
                        context,
                        List.of(Question.about(Verb.EXPORT, number), Question.about(Verb.EXPLAIN, number)),
                        answers -> {
                            Json export = answers.get(0);
                            if (!answers.get(1).at("youMayAlso").texts().contains(Verb.EDIT.word())) {
                                Replies.refuse(
                                        context,
                                        403,
                                        "Not yours to change",
                                        "The process leaves the document of SEP-" + number
                                                + " to others, or it is settled. You can comment on it instead.");
                                return;
                            }
                            String text = export.at("document").text();
                            String hash = export.at("hash").text();
                            look(context, counter, kept(visitor, number, export, text, hash, false), 200);
                        }));
    }

    private static void numbered(RoutingContext context, Consumer<Long> then) {
        Counter.number(context)
                .ifPresentOrElse(then, () -> Replies.refuse(context, 404, "Not found", "There is no such SEP."));
    }

    private static Editor kept(Visitor visitor, long number, Json export, String text, String base, boolean typed) {
        return Editor.of(
                visitor.frame("Edit SEP-" + number, Frame.Place.SEPS),
                Optional.of(number),
                SafeText.line(export.at("title").text()),
                Acts.path(number, Verb.EDIT),
                text,
                base,
                typed);
    }

    private void save(Written written) {
        RoutingContext context = written.context();
        numbered(
                context,
                number -> written.counter()
                        .learn(
                                context,
                                List.of(Question.about(Verb.EXPORT, number)),
                                answers -> save(written, number, answers.getFirst())));
    }

    private void save(Written written, long number, Json before) {
        String base = written.fields().text("base").orElse("");
        Editor page = kept(written.visitor(), number, before, written.text(), base, true);
        if (written.toBeChecked()) {
            look(written.context(), written.counter(), page, 200);
            return;
        }
        // Browsers know one way to end a line; a document that had the other keeps it.
        String text =
                before.at("document").text().contains("\r\n") ? written.text().replace("\n", "\r\n") : written.text();
        Json arguments = Json.object()
                .with("number", Json.of(number))
                .with("document", Json.ofText(text))
                .with("base", Json.ofText(base));
        Waiting.on(written.counter().ask(Verb.EDIT, arguments), written.context(), reply -> {
            switch (reply) {
                case Reply.Done _ -> Replies.redirect(written.context(), Did.after(number, Verb.EDIT, Map.of()));
                case Reply.Refused refused
                when refused.code().equals("changed-since") -> overtaken(written, number, refused);
                default ->
                    look(written.context(), written.counter(), page.back(Answered.words(reply)), Counter.status(reply));
            }
        });
    }

    /** Somebody changed it meanwhile: whoever saves once more has seen how it is now. */
    private void overtaken(Written written, long number, Reply.Refused refused) {
        written.counter().learn(written.context(), List.of(Question.about(Verb.EXPORT, number)), answers -> {
            Json now = answers.getFirst();
            String hash = now.at("hash").text();
            Editor page = kept(written.visitor(), number, now, written.text(), hash, true)
                    .back("Nothing was saved. " + Answered.words(refused))
                    .beside(SafeText.lines(now.at("document").text()));
            look(written.context(), written.counter(), page, Counter.status(refused));
        });
    }

    // --- what both have

    /** Shows a document, with how it looks. */
    private void look(RoutingContext context, Counter counter, Editor page, int status) {
        previews.of(
                context,
                counter,
                page.number(),
                page.text(),
                checked -> Replies.page(context, status, ActPages.editor(page.looking(checked))));
    }

    private void check(Written written) {
        RoutingContext context = written.context();
        Optional<Long> number = written.fields()
                .text("number")
                .filter(text -> text.matches("[1-9]\\d{0,8}"))
                .map(Long::parseLong);
        previews.of(
                context,
                written.counter(),
                number,
                written.text(),
                checked -> Replies.page(context, 200, ActPages.checked(checked)));
    }
}
