package example.evalcontract;

import java.math.BigDecimal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Verdicts: an interpreter of the keywords that contracts use. Nothing is compiled, nothing is fetched. */
final class Judge {
    private static final int DEEPEST = 256;
    private static final Set<String> OF_SHAPE =
            Set.of("$ref", "allOf", "anyOf", "properties", "required", "additionalProperties", "items", "type");

    private final boolean onlyShape;
    private final Deque<String> steps = new ArrayDeque<>();
    private final List<Violation> found = new ArrayList<>();

    private Judge(boolean onlyShape) {
        this.onlyShape = onlyShape;
    }

    /** The violations of a value, each place and keyword once; with {@code onlyShape} those of its types alone. */
    static List<Violation> violations(Object value, List<Table.Rule> rules, boolean onlyShape) {
        Judge judge = new Judge(onlyShape);
        judge.refuseWhatIsNotJson(value, 0);
        if (judge.found.isEmpty()) {
            judge.check(rules, value);
        }
        return distinct(judge.found);
    }

    static List<Violation> distinct(List<Violation> found) {
        Set<List<String>> seen = new HashSet<>();
        return found.stream()
                .filter(violation -> seen.add(List.of(
                        violation.pointer(), violation.keyword() == null ? violation.code() : violation.keyword())))
                .collect(Collectors.toCollection(ArrayList::new));
    }

    /** The members of an object, be it a map or a document; null for any other value. */
    @SuppressWarnings("unchecked")
    static Map<String, Object> members(Object value) {
        if (value instanceof Document document) {
            return document.members();
        }
        return value instanceof Map<?, ?> map ? (Map<String, Object>) map : null;
    }

    private void refuseWhatIsNotJson(Object value, int depth) {
        if (value == null || value instanceof Boolean) {
            return;
        }
        if (value instanceof String text) {
            refuseSurrogates(text);
        } else if (value instanceof Number number) {
            if (!Numbers.isFinite(number)) {
                notJson("a finite number", number.toString());
            }
        } else if (!(value instanceof Map || value instanceof Document || value instanceof List)) {
            notJson("a JSON value", Text.shown(value.toString()));
        } else if (depth >= DEEPEST) {
            notJson("nesting of at most " + DEEPEST + " levels", "more, or a cycle");
        } else if (value instanceof List<?> elements) {
            int index = 0;
            for (Object element : elements) {
                inside(Integer.toString(index++), () -> refuseWhatIsNotJson(element, depth + 1));
            }
        } else {
            for (Map.Entry<?, ?> member : ((Map<?, ?>) members(value)).entrySet()) {
                if (member.getKey() instanceof String key) {
                    inside(key, () -> {
                        refuseSurrogates(key);
                        refuseWhatIsNotJson(member.getValue(), depth + 1);
                    });
                } else {
                    notJson("a string as key", Text.shown(String.valueOf(member.getKey())));
                }
            }
        }
    }

    private void refuseSurrogates(String text) {
        if (text.codePoints().anyMatch(point -> Character.getType(point) == Character.SURROGATE)) {
            notJson("a string without lone surrogates", Text.shown(text));
        }
    }

    private void notJson(String expected, String actual) {
        String message = "expected " + expected + ", got " + actual;
        found.add(new Violation(
                "not-json", message, pointer(), null, expected, actual, Violation.Severity.ERROR));
    }

    private void inside(String key, Runnable check) {
        steps.addLast(key);
        check.run();
        steps.removeLast();
    }

    private void check(List<Table.Rule> rules, Object value) {
        for (Table.Rule rule : rules) {
            if (!onlyShape || OF_SHAPE.contains(rule.keyword())) {
                check(rule, value);
            }
        }
    }

    @SuppressWarnings("unchecked")
    private void check(Table.Rule rule, Object value) {
        Object said = rule.said();
        Map<String, Object> members = members(value);
        switch (rule.keyword()) {
            case "$ref" -> check(Table.get().contract((String) said), value);
            case "allOf" -> ((List<List<Table.Rule>>) said).forEach(part -> check(part, value));
            case "anyOf" -> {
                if (members != null) {
                    check((List<Table.Rule>) said, value);
                } else if (value != null) {
                    add(rule, "type", "wrong-type", value);
                }
            }
            case "properties" -> {
                if (members != null) {
                    ((Map<String, List<Table.Rule>>) said).forEach((name, part) -> {
                        if (members.containsKey(name)) {
                            inside(name, () -> check(part, members.get(name)));
                        }
                    });
                }
            }
            case "additionalProperties" -> {
                // In the profile it stands for itself, without properties beside it.
                if (members != null) {
                    members.forEach((name, member) -> inside(name, () -> check((List<Table.Rule>) said, member)));
                }
            }
            case "items" -> {
                if (value instanceof List<?> elements) {
                    int index = 0;
                    for (Object element : elements) {
                        inside(Integer.toString(index++), () -> check((List<Table.Rule>) said, element));
                    }
                }
            }
            case "required" -> {
                if (members != null) {
                    ((List<Table.Required>) said).stream()
                            .filter(wanted -> !members.containsKey(wanted.name()))
                            .forEach(this::addMissing);
                }
            }
            case "type" -> {
                if (((List<String>) said).stream().noneMatch(kind -> isOf(kind, value))) {
                    add(rule, "type", "wrong-type", value);
                }
            }
            case "enum" -> {
                if (((List<Object>) said).stream().noneMatch(member -> same(member, value))) {
                    add(rule, "enum", "not-allowed", value);
                }
            }
            default -> checkBound(rule, value);
        }
    }

    private void checkBound(Table.Rule rule, Object value) {
        if (value instanceof String text) {
            switch (rule.keyword()) {
                case "minLength" -> addIf(length(text) < number(rule), rule, "too-short", value);
                case "maxLength" -> addIf(length(text) > number(rule), rule, "too-long", value);
                case "pattern" -> addIf(!((Pattern) rule.said()).isIn(text), rule, "pattern-mismatch", value);
                default -> {}
            }
        } else if (value instanceof List<?> elements) {
            switch (rule.keyword()) {
                case "minItems" -> addIf(elements.size() < number(rule), rule, "too-few-items", value);
                case "maxItems" -> addIf(elements.size() > number(rule), rule, "too-many-items", value);
                default -> {}
            }
        } else if (value instanceof Number number) {
            switch (rule.keyword()) {
                case "minimum" -> addIf(number.doubleValue() < number(rule), rule, "too-small", value);
                case "maximum" -> addIf(number.doubleValue() > number(rule), rule, "too-large", value);
                default -> {}
            }
        }
    }

    private static double number(Table.Rule rule) {
        return ((Number) rule.said()).doubleValue();
    }

    private static int length(String text) {
        return text.codePointCount(0, text.length());
    }

    private boolean isOf(String kind, Object value) {
        return switch (kind) {
            case "null" -> value == null;
            case "boolean" -> value instanceof Boolean;
            case "string" -> value instanceof String;
            case "array" -> value instanceof List;
            case "object" -> members(value) != null;
            case "number" -> value instanceof Number;
            case "integer" -> value instanceof Number number
                    && Numbers.isInteger(number)
                    && (!onlyShape || Numbers.integer(number) != null);
            default -> false;
        };
    }

    private static boolean same(Object member, Object value) {
        if (!(member instanceof Number) || !(value instanceof Number)) {
            return member.equals(value);
        }
        return exact((Number) member).compareTo(exact((Number) value)) == 0;
    }

    private static BigDecimal exact(Number number) {
        return Numbers.isWhole(number) ? new BigDecimal(number.toString()) : new BigDecimal(number.doubleValue());
    }

    private void addIf(boolean broken, Table.Rule rule, String code, Object value) {
        if (broken) {
            add(rule, rule.keyword(), code, value);
        }
    }

    private void add(Table.Rule rule, String keyword, String code, Object value) {
        String actual = Text.actual(value);
        String message = "expected " + rule.expected() + ", got " + actual;
        found.add(new Violation(
                code, message, pointer(), keyword, rule.expected(), actual, Violation.Severity.ERROR));
    }

    private void addMissing(Table.Required wanted) {
        String message = wanted.name() + " is required but missing, expected " + wanted.expected();
        String place = pointer() + step(wanted.name());
        found.add(new Violation(
                "missing-property", message, place, "required", wanted.expected(), "nothing", Violation.Severity.ERROR));
    }

    private String pointer() {
        return steps.stream().map(Judge::step).collect(Collectors.joining());
    }

    static String step(String key) {
        return "/" + key.replace("~", "~0").replace("/", "~1");
    }
}
