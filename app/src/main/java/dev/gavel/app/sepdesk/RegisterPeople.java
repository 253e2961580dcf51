package dev.gavel.app.sepdesk;

import dev.gavel.app.identity.Identity;
import dev.gavel.app.register.Register;
import dev.gavel.sep.desk.People;
import java.util.List;
import java.util.function.Supplier;

/** Everybody in the register, as the SEP desk knows them; listed anew only where the register has changed. Thread-safe. */
public final class RegisterPeople implements People {
    private final Supplier<Register> register;
    private volatile Listed listed;

    private record Listed(Register register, List<Known> everybody) {}

    public RegisterPeople(Supplier<Register> register) {
        this.register = register;
        this.listed = list(register.get());
    }

    @Override
    public List<Known> everybody() {
        Register now = register.get();
        Listed last = listed;
        if (last.register() != now) {
            last = list(now);
            listed = last;
        }
        return last.everybody();
    }

    private static Listed list(Register register) {
        return new Listed(
                register,
                register.names().stream()
                        .filter(name -> !register.isOwn(name))
                        .map(register::identity)
                        .map(RegisterPeople::known)
                        .toList());
    }

    private static Known known(Identity identity) {
        return new Known(identity.id(), identity.name(), identity.roles(), identity.handles());
    }
}
