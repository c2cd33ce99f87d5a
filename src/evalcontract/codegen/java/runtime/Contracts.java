package example.evalcontract;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The verdicts on JSON values, such as {@link Json#read} or Jackson's {@code convertValue(node, Object.class)} give,
 * and on documents.
 */
public final class Contracts {
    private static final String ITEM = "evaluation_item";
    private static final String DATASET = "dataset";

    private Contracts() {}

    /**
     * Every way in which a value breaks a contract, named {@code rag_input} (its newest version) or
     * {@code rag_input@1.0}.
     *
     * @throws IllegalArgumentException when there is no such contract
     */
    public static List<Violation> validate(Object value, String contract) {
        String name = Table.get().resolve(contract);
        if (name == null) {
            String names = String.join(", ", Table.get().names());
            throw new IllegalArgumentException("there is no contract " + contract + "; there are " + names);
        }
        return Judge.violations(value, Table.get().contract(name), false);
    }

    /** Whether a value keeps a contract. */
    public static boolean isValid(Object value, String contract) {
        return validate(value, contract).isEmpty();
    }

    /** The verdict on an evaluation item by the schema type that it declares. */
    public static Verdict validateItem(Object item) {
        return validateItem(item, null);
    }

    /**
     * The verdict on an evaluation item by the schema type that it, or else its dataset, declares. An item that
     * declares no type is checked against the envelope; a type that is not known here is a violation.
     *
     * @param datasetMetadata the {@code metadata} of the dataset; may be null
     */
    public static Verdict validateItem(Object item, Object datasetMetadata) {
        Choice choice = Choice.of(item, datasetMetadata);
        String envelope = Table.get().resolve(ITEM);
        if (envelope == null) {
            return new Verdict(ITEM, choice.origin(), List.of(noContract(ITEM)));
        }
        List<Table.Rule> rules = new ArrayList<>(List.of(reference(envelope)));
        Table.SchemaType type = choice.type();
        if (type != null) {
            Map<String, List<Table.Rule>> parts = new LinkedHashMap<>();
            parts.put("input", List.of(reference(type.input())));
            parts.put("expected_output", List.of(reference(type.expectedOutput())));
            rules.add(new Table.Rule("properties", parts, null));
            List<Table.Required> required = List.of(new Table.Required("expected_output", "object"));
            rules.add(new Table.Rule("required", required, null));
        }
        List<Violation> found = new ArrayList<>(choice.findings());
        found.addAll(Judge.violations(item, rules, false));
        found.addAll(judgedTwice(item));
        String contract = type == null ? envelope : type.name() + "@" + type.version();
        return new Verdict(contract, choice.origin(), found);
    }

    /**
     * Every way in which a whole dataset breaks its contract and those of its items, by their declared schema type.
     * Pointers count from the top, each place and keyword comes once. Advices are among what is found.
     */
    public static List<Violation> validateDataset(Object dataset) {
        String contract = Table.get().resolve(DATASET);
        if (contract == null) {
            return List.of(noContract(DATASET));
        }
        List<Violation> found = new ArrayList<>();
        Map<String, Object> members = Judge.members(dataset);
        if (members != null && members.get("items") instanceof List<?> items) {
            int number = 0;
            for (Object item : items) {
                String place = "/items/" + number++;
                Verdict verdict = validateItem(item, members.get("metadata"));
                verdict.violations().forEach(violation -> found.add(violation.at(place)));
            }
        }
        found.addAll(Judge.violations(dataset, Table.get().contract(contract), false));
        return Judge.distinct(found);
    }

    /**
     * A self-contained JSON Schema for other validators: of a contract, named with or without its version, of whole
     * items and datasets of a schema type ({@code rag_item@1.0}), or by declared type ({@code typed_dataset}); null when
     * there is none of this name.
     */
    public static String bundle(String name) {
        String contract = Table.get().resolve(name);
        String stem = contract == null ? name : contract;
        String file = "bundles/" + stem.replace('@', '-') + ".schema.json";
        try (InputStream found = stem.contains("/") ? null : Contracts.class.getResourceAsStream(file)) {
            return found == null ? null : new String(found.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }

    /** A ground truth judges a document once: what no schema can say. */
    private static List<Violation> judgedTwice(Object item) {
        List<Violation> found = new ArrayList<>();
        Object rows = Choice.member(Choice.member(item, "expected_output"), "retrieval_ground_truth");
        Set<String> seen = new HashSet<>();
        int number = 0;
        for (Object row : rows instanceof List<?> list ? list : List.of()) {
            String place = "/expected_output/retrieval_ground_truth/" + number++ + "/document_id";
            if (Choice.member(row, "document_id") instanceof String id && !seen.add(id)) {
                String message = "the ground truth judges document " + Text.shown(id) + " twice";
                found.add(new Violation(
                        "duplicate-judgement",
                        message,
                        place,
                        null,
                        "one judgement a document",
                        Text.shown(id),
                        Violation.Severity.ERROR));
            }
        }
        return found;
    }

    private static Table.Rule reference(String contract) {
        return new Table.Rule("$ref", contract, null);
    }

    /** The package was made from contracts of one's own alone, which describe no items. */
    private static Violation noContract(String name) {
        String message = "there is no contract " + name + " in this package";
        return new Violation("unknown-contract", message, "", null, null, null, Violation.Severity.ERROR);
    }
}
