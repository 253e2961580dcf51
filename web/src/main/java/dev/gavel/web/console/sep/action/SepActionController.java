package dev.gavel.web.console.sep.action;

import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.service.SepOperation;
import dev.gavel.sep.service.SepResult;
import dev.gavel.sep.service.SepService;
import dev.gavel.web.console.page.PageLayoutData;
import dev.gavel.web.console.sep.SepActionPaths;
import dev.gavel.web.console.sep.SepActionSuccessMessages;
import dev.gavel.web.console.sep.action.ConsoleSepClient.SepQuery;
import dev.gavel.web.console.session.AsyncPageContinuation;
import dev.gavel.web.console.session.ConsoleRequestGuard;
import dev.gavel.web.console.session.ConsoleResponses;
import dev.gavel.web.console.session.ConsoleUser;
import dev.gavel.web.console.session.FormFields;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/** Serves the forms by which a user acts on a SEP, and sends the submitted forms to the SEP service. Thread-safe. */
public final class SepActionController {
    private static final String PATH = "/console/seps/:number/act/:verb";

    private final ConsoleRequestGuard guard;
    private final Optional<SepService> sepService;
    private final ProcessDefinition processDefinition;

    /**
     * Creates the controller.
     *
     * @param sepService empty if there is no ledger to store SEPs in
     */
    public SepActionController(
            ConsoleRequestGuard guard, Optional<SepService> sepService, ProcessDefinition processDefinition) {
        this.guard = guard;
        this.sepService = sepService;
        this.processDefinition = processDefinition;
    }

    public void mount(Router router) {
        router.get(PATH)
                .handler(context -> guard.handlePage(
                        context,
                        consoleUser -> withAction(
                                context,
                                consoleUser,
                                actionRequest -> actionRequest.loadForm(
                                        Map.of(), (forms, form) -> show(context, consoleUser, 200, form)))));
        router.post(PATH)
                .handler(context -> guard.handleForm(
                        context,
                        (consoleUser, fields) -> withAction(
                                context,
                                consoleUser,
                                actionRequest -> send(context, consoleUser, actionRequest, submittedFields(fields)))));
    }

    /** A request for an action on a SEP. */
    private record ActionRequest(
            RoutingContext context,
            ConsoleSepClient consoleSepClient,
            ProcessDefinition processDefinition,
            long number,
            SepOperation sepOperation,
            String to,
            String document) {
        /** Queries the SEP's current state and continues with the form for the action. */
        void loadForm(
                Map<String, String> typed, java.util.function.BiConsumer<SepActionFormBuilder, SepActionForm> then) {
            List<SepQuery> sepQueries = new ArrayList<>(
                    List.of(SepQuery.about(SepOperation.SHOW, number), SepQuery.about(SepOperation.EXPLAIN, number)));
            boolean naming = sepOperation == SepOperation.ASK || sepOperation == SepOperation.TRANSFER;
            if (naming) {
                sepQueries.add(SepQuery.of(SepOperation.MAINTAINERS));
            }
            consoleSepClient.queryAll(context, sepQueries, answers -> {
                SepActionFormBuilder forms = new SepActionFormBuilder(
                        answers.get(0), answers.get(1), naming ? answers.get(2) : Json.object(), processDefinition);
                // Without a hash in the address, the form is for the document as it is now.
                String hash = document.isEmpty() ? answers.get(0).at("hash").text() : document;
                then.accept(forms, forms.build(sepOperation, to, hash, typed));
            });
        }
    }

    private void withAction(RoutingContext context, ConsoleUser consoleUser, Consumer<ActionRequest> then) {
        Optional<Long> number = ConsoleSepClient.parseNumber(context);
        Optional<SepOperation> sepOperation = SepActionPaths.parse(Objects.requireNonNull(context.pathParam("verb")));
        if (number.isEmpty() || sepOperation.isEmpty()) {
            ConsoleResponses.refuse(
                    context,
                    404,
                    "Not found",
                    processDefinition.terms().text("This {proposal} or this action does not exist."));
            return;
        }
        String to = sepOperation.get() == SepOperation.MOVE
                ? Objects.requireNonNullElse(context.request().getParam("to"), "")
                : "";
        String document = Objects.requireNonNullElse(context.request().getParam("document"), "");
        ConsoleSepClient.withSepService(
                context,
                sepService,
                consoleUser,
                consoleSepClient -> then.accept(new ActionRequest(
                        context, consoleSepClient, processDefinition, number.get(), sepOperation.get(), to, document)));
    }

    private static Map<String, String> submittedFields(FormFields fields) {
        Map<String, String> typed = new LinkedHashMap<>();
        fields.values().keySet().forEach(name -> fields.rawText(name).ifPresent(text -> typed.put(name, text)));
        return typed;
    }

    private static void send(
            RoutingContext context, ConsoleUser consoleUser, ActionRequest actionRequest, Map<String, String> typed) {
        actionRequest.loadForm(typed, (forms, form) -> {
            Optional<SepActionForm> incomplete = SepFormErrorMarker.findMissing(form);
            if (incomplete.isPresent()) {
                show(context, consoleUser, 400, incomplete.get());
                return;
            }
            Json arguments = SepFormArgumentsMapper.toArguments(
                    actionRequest.sepOperation(),
                    actionRequest.number(),
                    actionRequest.to(),
                    actionRequest.document(),
                    typed);
            AsyncPageContinuation.whenLoaded(
                    actionRequest.consoleSepClient().send(actionRequest.sepOperation(), arguments),
                    context,
                    sepResult -> {
                        if (sepResult instanceof SepResult.Success) {
                            ConsoleResponses.redirect(
                                    context,
                                    SepActionSuccessMessages.redirectPath(
                                            actionRequest.number(), actionRequest.sepOperation(), typed));
                        } else {
                            show(
                                    context,
                                    consoleUser,
                                    ConsoleSepClient.httpStatus(sepResult),
                                    SepFormErrorMarker.withRefusal(
                                            afterRefusal(actionRequest, forms, form, sepResult, typed), sepResult));
                        }
                    });
        });
    }

    /** Returns the form to show after a refusal. If the document has changed, it is for the current document. */
    private static SepActionForm afterRefusal(
            ActionRequest actionRequest,
            SepActionFormBuilder forms,
            SepActionForm form,
            SepResult sepResult,
            Map<String, String> typed) {
        return sepResult instanceof SepResult.Refused(String code, String _, Json details)
                        && code.equals("changed-since")
                ? forms.build(
                        actionRequest.sepOperation(),
                        actionRequest.to(),
                        details.at("hash").text(),
                        typed)
                : form;
    }

    private static void show(RoutingContext context, ConsoleUser consoleUser, int status, SepActionForm form) {
        ConsoleResponses.sendPage(
                context,
                status,
                ConsoleResponses.isHtmxRequest(context)
                        ? SepActionPageRenderer.form(form, consoleUser.csrf())
                        : SepActionPageRenderer.page(new SepActionPage(
                                consoleUser.frame(
                                        form.heading() + " · "
                                                + consoleUser.terms().numberLabel(form.number()),
                                        PageLayoutData.Section.SEPS),
                                form)));
    }
}
