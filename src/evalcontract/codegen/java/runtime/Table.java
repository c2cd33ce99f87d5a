package example.evalcontract;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The contracts, as rules to judge by. */
final class Table {
    /** A schema type in one version, with the contracts of its two parts. */
    record SchemaType(String name, String version, String input, String expectedOutput) {}

    /** A keyword: what it says, and what is expected in words. */
    record Rule(String keyword, Object said, String expected) {}

    /** A required property, and what is expected there. */
    record Required(String name, String expected) {}

    private final int maxDepth;
    private final Map<String, String> newest = new LinkedHashMap<>();
    private final List<SchemaType> types = new ArrayList<>();
    private final Map<String, List<Rule>> contracts = new ConcurrentHashMap<>();

    private static final class Holder {
        static final Table TABLE = new Table();
    }

    static Table get() {
        return Holder.TABLE;
    }

    private Table() {
        maxDepth = Data.MAX_DEPTH;
        for (String[] row : Data.NEWEST) {
            newest.put(row[0], row[0] + "@" + row[1]);
        }
        for (String[] row : Data.TYPES) {
            types.add(new SchemaType(row[0], row[1], row[2], row[3]));
        }
    }

    int maxDepth() {
        return maxDepth;
    }

    List<SchemaType> types() {
        return types;
    }

    /** {@code name@version} of a contract that is named with or without its version; null when there is none. */
    String resolve(String name) {
        String whole = newest.getOrDefault(name, name);
        return Data.CONTRACTS.containsKey(whole) ? whole : null;
    }

    Set<String> names() {
        return Data.CONTRACTS.keySet();
    }

    List<Rule> contract(String name) {
        return contracts.computeIfAbsent(name, key -> rules(Judge.members(Json.read(Data.CONTRACTS.get(key)))));
    }

    private static List<Rule> rules(Map<String, Object> schema) {
        List<Rule> rules = new ArrayList<>();
        schema.forEach((keyword, said) -> rules.add(rule(keyword, said, schema)));
        return rules;
    }

    private static Rule rule(String keyword, Object said, Map<String, Object> schema) {
        switch (keyword) {
            case "type":
                return new Rule(keyword, kinds(said), expectedType(schema));
            case "enum":
                List<String> words = list(said).stream().map(member -> Text.brief(member, 30)).toList();
                return new Rule(keyword, said, Text.shortList("one of ", words));
            case "allOf":
                return new Rule(keyword, list(said).stream().map(Judge::members).map(Table::rules).toList(), null);
            case "anyOf":
                return new Rule(keyword, rules(Judge.members(list(said).get(0))), alternatives(list(said)));
            case "properties":
                Map<String, List<Rule>> properties = new LinkedHashMap<>();
                Judge.members(said).forEach((name, part) -> properties.put(name, rules(Judge.members(part))));
                return new Rule(keyword, properties, null);
            case "required":
                List<Required> required = list(said).stream()
                        .map(name -> new Required((String) name, requiredType(schema, (String) name)))
                        .toList();
                return new Rule(keyword, required, null);
            case "items":
            case "additionalProperties":
                return new Rule(keyword, rules(Judge.members(said)), null);
            case "minimum":
                return new Rule(keyword, said, "at least " + Text.brief(said, 80));
            case "maximum":
                return new Rule(keyword, said, "at most " + Text.brief(said, 80));
            case "minLength":
                return new Rule(keyword, said, count("at least ", said, "character"));
            case "maxLength":
                return new Rule(keyword, said, count("at most ", said, "character"));
            case "minItems":
                return new Rule(keyword, said, count("at least ", said, "item"));
            case "maxItems":
                return new Rule(keyword, said, count("at most ", said, "item"));
            case "pattern":
                return new Rule(keyword, new Pattern((String) said), "text matching " + said);
            default:
                return new Rule(keyword, said, null);
        }
    }

    private static String count(String word, Object said, String thing) {
        long number = ((Number) said).longValue();
        return word + number + " " + thing + (number == 1 ? "" : "s");
    }

    private static List<String> kinds(Object said) {
        return said instanceof String one ? List.of(one) : list(said).stream().map(String.class::cast).toList();
    }

    /** The type that a schema asks for: {@code array of strings or null}. */
    private static String expectedType(Map<String, Object> schema) {
        Map<String, Object> items = Judge.members(schema.get("items"));
        Object of = items == null ? null : items.containsKey("$ref") ? "object" : items.get("type");
        List<String> names = kinds(schema.getOrDefault("type", List.of())).stream()
                .map(name -> name.equals("array") && of instanceof String ? "array of " + of + "s" : name)
                .toList();
        return names.isEmpty() ? "another value" : String.join(" or ", names);
    }

    private static String alternatives(List<Object> said) {
        Set<String> types = new LinkedHashSet<>();
        for (Object branch : said) {
            Map<String, Object> schema = Judge.members(branch);
            types.add(schema.containsKey("$ref") ? "object" : expectedType(schema));
        }
        return Text.shortList("", List.copyOf(types)).replace(", ", " or ");
    }

    private static String requiredType(Map<String, Object> schema, String name) {
        Map<String, Object> properties = Judge.members(schema.get("properties"));
        Map<String, Object> wanted = properties == null ? null : Judge.members(properties.get(name));
        if (wanted != null && wanted.containsKey("$ref")) {
            return "object";
        }
        return wanted != null && wanted.containsKey("type") ? expectedType(wanted) : "a value";
    }

    @SuppressWarnings("unchecked")
    private static List<Object> list(Object value) {
        return (List<Object>) value;
    }
}
