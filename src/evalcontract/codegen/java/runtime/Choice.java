package example.evalcontract;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;

/** Which schema type applies to an item: declared by it, else by its dataset, else none. */
record Choice(Table.SchemaType type, Verdict.Origin origin, List<Violation> findings) {
    private static final String TYPE = "input_schema_type";
    private static final String VERSION = "input_schema_version";
    private static final String IN_ITEM = "/metadata/raw_metadata";
    private static final java.util.regex.Pattern NUMBERS =
            java.util.regex.Pattern.compile("(0|[1-9][0-9]{0,8})\\.(0|[1-9][0-9]{0,8})");

    static Choice of(Object item, Object datasetMetadata) {
        Object inItem = member(member(item, "metadata"), "raw_metadata");
        String ownType = text(inItem, TYPE);
        String ownVersion = text(inItem, VERSION);
        String datasetType = text(datasetMetadata, TYPE);
        String datasetVersion = text(datasetMetadata, VERSION);
        List<Violation> conflicts = new ArrayList<>(disagreement(TYPE, ownType, datasetType));
        if (numbers(ownVersion) != null && numbers(datasetVersion) != null) {
            conflicts.addAll(disagreement(VERSION, ownVersion, datasetVersion));
        }
        String name = ownType != null ? ownType : datasetType;
        if (!conflicts.isEmpty() || name == null) {
            return new Choice(null, Verdict.Origin.ENVELOPE, conflicts);
        }
        String version = ownVersion != null ? ownVersion : datasetVersion;
        return ownType != null
                ? versioned(name, version, Verdict.Origin.ITEM, IN_ITEM)
                : versioned(name, version, Verdict.Origin.DATASET, "");
    }

    private static Choice versioned(String name, String version, Verdict.Origin origin, String place) {
        List<Table.SchemaType> versions =
                Table.get().types().stream().filter(type -> type.name().equals(name)).toList();
        if (versions.isEmpty()) {
            return unknown("unknown-schema-type", "schema type", place + "/" + TYPE, name);
        }
        for (Table.SchemaType type : versions) {
            if (type.version().equals(version)) {
                return new Choice(type, origin, List.of());
            }
        }
        int[] asked = numbers(version);
        if (asked == null) {
            return new Choice(highest(versions), origin, List.of());
        }
        List<Table.SchemaType> sameMajor =
                versions.stream().filter(type -> numbers(type.version())[0] == asked[0]).toList();
        String whole = name + "@" + version;
        if (sameMajor.isEmpty()) {
            return unknown("unknown-schema-version", "version of a schema type", place + "/" + VERSION, whole);
        }
        Table.SchemaType used = highest(sameMajor);
        String message = whole + " is not known here; checked against " + name + "@" + used.version();
        Violation advice = new Violation(
                "unknown-minor-version", message, place + "/" + VERSION, null, null, null, Violation.Severity.ADVICE);
        return new Choice(used, origin, List.of(advice));
    }

    private static Table.SchemaType highest(List<Table.SchemaType> types) {
        Comparator<Table.SchemaType> order = Comparator.comparingInt(type -> numbers(type.version())[0]);
        return types.stream()
                .max(order.thenComparingInt(type -> numbers(type.version())[1]))
                .orElseThrow();
    }

    private static List<Violation> disagreement(String field, String own, String ofDataset) {
        if (own == null || ofDataset == null || own.equals(ofDataset)) {
            return List.of();
        }
        String message = "the item declares " + field + " " + Text.shown(own) + ", its dataset declares "
                + Text.shown(ofDataset);
        return List.of(new Violation(
                "declarations-disagree",
                message,
                IN_ITEM + "/" + field,
                null,
                Text.shown(ofDataset),
                Text.shown(own),
                Violation.Severity.ERROR));
    }

    private static Choice unknown(String code, String thing, String pointer, String name) {
        List<String> names =
                Table.get().types().stream().map(type -> type.name() + "@" + type.version()).toList();
        String known = Text.shortList("known: ", names);
        String message = Text.shown(name) + " is not a known " + thing + "; " + known;
        Violation violation =
                new Violation(code, message, pointer, null, known, Text.shown(name), Violation.Severity.ERROR);
        return new Choice(null, Verdict.Origin.ENVELOPE, List.of(violation));
    }

    /** A member of an object; null for any other value. */
    static Object member(Object value, String name) {
        Map<String, Object> members = Judge.members(value);
        return members == null ? null : members.get(name);
    }

    private static String text(Object value, String name) {
        return member(value, name) instanceof String text ? text : null;
    }

    /** Major and minor of a version; null for anything else. */
    private static int[] numbers(String version) {
        Matcher found = version == null ? null : NUMBERS.matcher(version);
        return found == null || !found.matches()
                ? null
                : new int[] {Integer.parseInt(found.group(1)), Integer.parseInt(found.group(2))};
    }
}
