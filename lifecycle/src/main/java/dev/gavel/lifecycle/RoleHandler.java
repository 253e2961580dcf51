package dev.gavel.lifecycle;

import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.history.LifecycleEvent;
import dev.gavel.lifecycle.process.MoveDefinition;
import dev.gavel.lifecycle.process.Role;
import dev.gavel.lifecycle.result.LifecycleCommandResult;
import dev.gavel.lifecycle.result.LifecycleRefusal;
import dev.gavel.yaml.WordSuggester;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Handles commands with which an actor takes, gives up or transfers a role in a specification proposal. */
record RoleHandler(LifecycleContext context, Actor by) {
    LifecycleCommandResult<LifecycleEvent> take(String role, List<Evidence> offeredEvidence) {
        return withProposalRole(role, proposalRole -> {
            List<MoveDefinition> moveDefinitions =
                    context.processDefinition().movesFrom(context.snapshot().state()).stream()
                            .filter(moveDefinition -> moveDefinition
                                    .takenRole()
                                    .filter(role::equals)
                                    .isPresent())
                            .toList();
            if (moveDefinitions.size() == 1) {
                return new MoveHandler(context, by).makeMove(moveDefinitions.getFirst(), offeredEvidence);
            }
            if (moveDefinitions.size() > 1) {
                return RefusalCode.ROLE.refuse("To take the role '" + role + "', move this proposal to "
                        + LifecycleMessageFormatter.formatStates(
                                moveDefinitions.stream().map(MoveDefinition::to).toList())
                        + ".");
            }
            return takeVacant(proposalRole);
        });
    }

    private LifecycleCommandResult<LifecycleEvent> takeVacant(Role.ProposalRole proposalRole) {
        String role = proposalRole.name();
        if (!context.state().isOpen()) {
            return RefusalCode.ROLE.refuse("The role '" + role + "' cannot be taken in the state `"
                    + context.snapshot().state() + "`.");
        }
        if (proposalRole.eligibleRole().isEmpty()) {
            return RefusalCode.ROLE.refuse("The role '" + role + "' cannot be taken. Only "
                    + new LifecycleMessageFormatter(context).formatRoles(List.of(role)) + " can transfer it.");
        }
        String from = proposalRole.eligibleRole().get();
        if (!context.hasRole(by, from)) {
            return LifecycleCommandResult.refused(notAllowed("take the role '" + role + "'", List.of(from)));
        }
        Optional<String> excludingRole = findExcludingRole(proposalRole, by.person());
        if (excludingRole.isPresent()) {
            return LifecycleCommandResult.refused(CommentAndEditHandler.excludedRefusal(
                    "take the role '" + role + "'",
                    "is " + context.processDefinition().title(excludingRole.get())));
        }
        if (context.snapshot().holders().holds(by.person(), role)) {
            return RefusalCode.ROLE.refuse("You are already " + proposalRole.title() + ".");
        }
        List<Person> previousHolders = proposalRole.multipleHolders()
                ? List.of()
                : context.snapshot().holders().people(role);
        // A holder who is no longer eligible does not block an eligible actor.
        if (previousHolders.stream().anyMatch(holder -> context.isEligible(Actor.of(holder.login()), role))) {
            return RefusalCode.ROLE.refuse("The role '" + role + "' is not vacant: "
                    + new LifecycleMessageFormatter(context).formatRoles(List.of(role)) + " must step down first.");
        }
        List<LifecycleEvent> events = new ArrayList<>();
        previousHolders.forEach(holder -> events.add(new LifecycleEvent.RoleLeft(context.now(), by, role, holder)));
        events.add(new LifecycleEvent.RoleTaken(context.now(), by, role, by.person()));
        return LifecycleCommandResult.accepted(events);
    }

    LifecycleCommandResult<LifecycleEvent> stepDown(String role) {
        return withProposalRole(role, proposalRole -> {
            if (!context.snapshot().holders().holds(by.person(), role)) {
                return LifecycleCommandResult.refused(
                        notAllowed("step down as " + proposalRole.title(), List.of(role)));
            }
            if (proposalRole.proposer() && context.snapshot().proposers().size() == 1) {
                return RefusalCode.ROLE.refuse(
                        "You are the only person with the role '" + role + "'. Transfer it to another person first.");
            }
            return LifecycleCommandResult.accepted(
                    List.of(new LifecycleEvent.RoleLeft(context.now(), by, role, by.person())));
        });
    }

    LifecycleCommandResult<LifecycleEvent> transfer(String role, Person to, boolean keepsRole) {
        return withProposalRole(role, proposalRole -> {
            if (!proposalRole.transferable()) {
                return RefusalCode.ROLE.refuse("The role '" + role + "' cannot be transferred.");
            }
            if (!context.snapshot().holders().holds(by.person(), role)) {
                return LifecycleCommandResult.refused(notAllowed("transfer the role '" + role + "'", List.of(role)));
            }
            if (to.equals(by.person())) {
                return RefusalCode.ROLE.refuse("You already have the role '" + role + "'.");
            }
            if (keepsRole && !proposalRole.multipleHolders()) {
                return RefusalCode.ROLE.refuse("Only one person can be " + proposalRole.title() + " at a time.");
            }
            Optional<String> missingRole = proposalRole
                    .eligibleRole()
                    .filter(from -> !context.members(from)
                            .filter(members -> members.contains(to))
                            .isPresent());
            if (missingRole.isPresent()) {
                return RefusalCode.ROLE.refuse(context.externalFacts().nameOf(to) + " is not known to be "
                        + context.processDefinition().title(missingRole.get()) + ".");
            }
            Optional<String> excludingRole = findExcludingRole(proposalRole, to);
            if (excludingRole.isPresent()) {
                return RefusalCode.ROLE.refuse(context.externalFacts().nameOf(to) + " is "
                        + context.processDefinition().title(excludingRole.get()) + " and cannot be "
                        + proposalRole.title() + ".");
            }
            return LifecycleCommandResult.accepted(
                    List.of(new LifecycleEvent.RoleTransferred(context.now(), by, role, by.person(), to, keepsRole)));
        });
    }

    /** The role in this proposal that excludes a person from a role, if there is one. */
    private Optional<String> findExcludingRole(Role.ProposalRole proposalRole, Person person) {
        ExclusionPolicy exclusionPolicy = new ExclusionPolicy(context);
        return exclusionPolicy.findExcludingRole(person, exclusionPolicy.excludedFromRole(proposalRole));
    }

    private LifecycleRefusal notAllowed(String action, List<String> roles) {
        return CommentAndEditHandler.notAllowedRefusal(context, action, roles);
    }

    private LifecycleCommandResult<LifecycleEvent> withProposalRole(
            String role, Function<Role.ProposalRole, LifecycleCommandResult<LifecycleEvent>> decide) {
        return context.processDefinition().findProposalRole(role).map(decide).orElseGet(() -> {
            List<String> proposalRoles = context.processDefinition().roles().keySet().stream()
                    .filter(name ->
                            context.processDefinition().findProposalRole(name).isPresent())
                    .toList();
            return RefusalCode.UNKNOWN_ROLE.refuse("'" + role + "' is not a role that people hold in a proposal. "
                    + WordSuggester.suggest(role, proposalRoles)
                            .map(near -> "Did you mean '" + near + "'?")
                            .orElseGet(
                                    () -> "Use " + LifecycleMessageFormatter.formatAlternatives(proposalRoles) + "."));
        });
    }
}
