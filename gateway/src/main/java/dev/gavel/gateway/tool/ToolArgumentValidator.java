package dev.gavel.gateway.tool;

import com.networknt.schema.Error;
import com.networknt.schema.ExecutionContext;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaException;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import com.networknt.schema.path.NodePath;
import com.networknt.schema.regex.RegularExpression;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.NearestNameFinder;
import dev.gavel.mcpx.text.SafeText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Validates the arguments of a call against the input schema of its tool. The schema is untrusted input: remote
 * references are not loaded, and the size of the schema, the evaluation steps and the steps of patterns are bounded.
 * Stateless. May take some milliseconds, so do not call it on an event loop or the ledger writer's thread.
 */
public final class ToolArgumentValidator {
    private static final int MAX_SCHEMA_LENGTH = 256 * 1024;
    private static final int MAX_ARGUMENTS_LENGTH = 1024 * 1024;
    private static final int MAX_STEPS = 50_000;
    private static final int MAX_PATTERN_STEPS = 2_000_000;
    private static final int MAX_VIOLATIONS = 20;
    private static final int MAX_NAME_LENGTH = 80;
    private static final int MAX_MESSAGE_LENGTH = 300;
    private static final int MAX_NAMES_SHOWN = 20;

    private ToolArgumentValidator() {}

    /** Created when it is first needed: most processes never validate arguments. */
    private static final class Mapper {
        static final JsonMapper JSON = new JsonMapper();
    }

    /** Thrown when a limit is exceeded. */
    static final class LimitExceededException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        LimitExceededException(String reason) {
            super(reason, null, false, false);
        }
    }

    /** Validates arguments. A tool without a schema accepts everything. */
    public static ArgumentValidationResult validate(ToolDefinition tool, Json arguments) {
        Json schema = tool.inputSchema();
        if (!schema.isPresent()) {
            return new ArgumentValidationResult.Checked(List.of());
        }
        if (schema.raw().length() > MAX_SCHEMA_LENGTH || arguments.raw().length() > MAX_ARGUMENTS_LENGTH) {
            return new ArgumentValidationResult.Uncheckable("the schema or the arguments are too large");
        }
        try {
            List<ArgumentViolation> violations = new ArrayList<>(unknownNames(tool, arguments));
            for (Error error : errors(schema, arguments)) {
                if (violations.size() >= MAX_VIOLATIONS) {
                    break;
                }
                ArgumentViolation violation = toViolation(tool, error, schema);
                if (violations.stream().noneMatch(each -> each.path().equals(violation.path()))) {
                    violations.add(violation);
                }
            }
            return new ArgumentValidationResult.Checked(violations);
        } catch (LimitExceededException e) {
            return new ArgumentValidationResult.Uncheckable(String.valueOf(e.getMessage()));
        } catch (SchemaException | JacksonException | IllegalArgumentException e) {
            return new ArgumentValidationResult.Uncheckable("its schema is not valid");
        } catch (StackOverflowError e) {
            return new ArgumentValidationResult.Uncheckable("its schema or a pattern in it is nested too deeply");
        }
    }

    /**
     * Validates edited arguments. Violations that the arguments had before the edit do not count: the reviewer did not
     * cause them.
     */
    public static ArgumentValidationResult validateEdit(ToolDefinition tool, Json before, Json after) {
        ArgumentValidationResult result = validate(tool, after);
        if (!(result instanceof ArgumentValidationResult.Checked(List<ArgumentViolation> violations))
                || violations.isEmpty()) {
            return result;
        }
        Set<ArgumentViolation> earlier =
                validate(tool, before) instanceof ArgumentValidationResult.Checked(List<ArgumentViolation> known)
                        ? Set.copyOf(known)
                        : Set.of();
        return new ArgumentValidationResult.Checked(violations.stream()
                .filter(violation -> !earlier.contains(violation)
                        || !valueAt(before, violation).equals(valueAt(after, violation)))
                .toList());
    }

    private static Json valueAt(Json arguments, ArgumentViolation violation) {
        Json value = arguments;
        for (Object step : violation.path()) {
            value = step instanceof Integer index
                    ? index < value.elements().size()
                            ? value.elements().get(index)
                            : Json.object().at("")
                    : value.at(String.valueOf(step));
        }
        return value;
    }

    private static List<Error> errors(Json schema, Json arguments) {
        PatternBudget patternBudget = new PatternBudget();
        SchemaRegistryConfig config = SchemaRegistryConfig.builder()
                .locale(Locale.ENGLISH)
                .regularExpressionFactory(patternBudget::compile)
                .build();
        SchemaRegistry registry = SchemaRegistry.withDefaultDialect(
                SpecificationVersion.DRAFT_2020_12,
                builder -> builder.schemaRegistryConfig(config)
                        .schemaLoader(loader -> loader.fetchRemoteResources(false)));
        Schema compiled = registry.getSchema(Mapper.JSON.readTree(schema.raw()));
        StepLimitingContext context = new StepLimitingContext();
        compiled.validate(context, Mapper.JSON.readTree(arguments.raw()));
        if (patternBudget.exceeded) {
            throw new LimitExceededException("a pattern in its schema takes too long to check");
        }
        return context.getErrors();
    }

    /** Counts the keywords that are evaluated: a small schema that refers to itself can need exponentially many. */
    private static final class StepLimitingContext extends ExecutionContext {
        private int steps;

        @Override
        public void evaluationPathAddLast(String keyword) {
            if (++steps > MAX_STEPS) {
                throw new LimitExceededException("its schema takes too long to check");
            }
            super.evaluationPathAddLast(keyword);
        }
    }

    /** Compiles patterns whose matches together take a bounded number of steps. */
    private static final class PatternBudget {
        private int steps;
        private boolean exceeded;

        RegularExpression compile(String regex) {
            try {
                Pattern pattern = Pattern.compile(regex);
                return value -> exceeded || matches(pattern, value);
            } catch (PatternSyntaxException e) {
                // Java does not know every pattern that JSON schema allows. The tool's server has the final say.
                return value -> true;
            }
        }

        /** The library would log an exception and count the value as invalid, so none is thrown. */
        private boolean matches(Pattern pattern, String value) {
            try {
                return pattern.matcher(new CountedText(value)).find();
            } catch (LimitExceededException | StackOverflowError e) {
                exceeded = true;
                return true;
            }
        }

        /** A text that counts how often a matcher reads from it. */
        private final class CountedText implements CharSequence {
            private final String text;

            CountedText(String text) {
                this.text = text;
            }

            @Override
            public char charAt(int index) {
                if (++steps > MAX_PATTERN_STEPS) {
                    throw new LimitExceededException("a pattern in its schema takes too long to check");
                }
                return text.charAt(index);
            }

            @Override
            public int length() {
                return text.length();
            }

            @Override
            public CharSequence subSequence(int start, int end) {
                return text.substring(start, end);
            }

            @Override
            public String toString() {
                return text;
            }
        }
    }

    private static List<ArgumentViolation> unknownNames(ToolDefinition tool, Json arguments) {
        return UnknownArgumentFinder.find(tool.inputSchema(), arguments, MAX_VIOLATIONS).stream()
                .map(unknown -> unknownName(tool, unknown.path(), unknown.known()))
                .toList();
    }

    private static ArgumentViolation unknownName(ToolDefinition tool, List<Object> path, Set<String> known) {
        boolean argument = path.size() == 1;
        String name = String.valueOf(path.getLast());
        String start = argument
                ? show(tool.name()) + " has no argument '" + show(name) + "'"
                : describe(path.subList(0, path.size() - 1)) + " has no field '" + show(name) + "'";
        String noun = argument ? "arguments" : "fields";
        String end = NearestNameFinder.suggest(name, known)
                .map(suggestion -> "did you mean '" + show(suggestion) + "'?")
                .orElseGet(() -> known.isEmpty()
                        ? "it takes no " + noun
                        : "its " + noun + " are "
                                + String.join(
                                        ", ",
                                        known.stream()
                                                .limit(MAX_NAMES_SHOWN)
                                                .map(ToolArgumentValidator::show)
                                                .toList())
                                + (known.size() > MAX_NAMES_SHOWN ? " and others" : ""));
        return new ArgumentViolation(path, start + "; " + end);
    }

    private static ArgumentViolation toViolation(ToolDefinition tool, Error error, Json schema) {
        List<Object> path = new ArrayList<>();
        NodePath location = error.getInstanceLocation();
        for (int i = 0; i < location.getNameCount(); i++) {
            path.add(location.getElement(i));
        }
        String property = error.getProperty();
        String keyword = String.valueOf(error.getKeyword());
        if (property != null && keyword.equals("required")) {
            path.add(property);
            return new ArgumentViolation(
                    path,
                    path.size() == 1
                            ? show(tool.name()) + " needs the argument '" + show(property) + "'"
                            : describe(path) + " is missing");
        }
        if (property != null && (keyword.equals("additionalProperties") || keyword.equals("unevaluatedProperties"))) {
            String parent = describe(path);
            path.add(property);
            return path.size() == 1
                    ? unknownName(tool, path, schema.at("properties").members().keySet())
                    : new ArgumentViolation(path, parent + " has no field '" + show(property) + "'");
        }
        return new ArgumentViolation(
                path,
                (path.isEmpty() ? "the arguments" : describe(path)) + ": "
                        + SafeText.brief(
                                String.valueOf(error.getMessage()).replaceFirst("^[^:]*: ", ""), MAX_MESSAGE_LENGTH));
    }

    private static String describe(List<Object> path) {
        StringBuilder text = new StringBuilder("'");
        for (Object step : path) {
            if (step instanceof Integer index) {
                text.append('[').append(index).append(']');
            } else {
                text.append(text.length() == 1 ? "" : ".").append(show(String.valueOf(step)));
            }
        }
        return text.append('\'').toString();
    }

    private static String show(String name) {
        return SafeText.brief(name, MAX_NAME_LENGTH);
    }
}
