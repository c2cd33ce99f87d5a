import example.acme.ContractException;
import example.acme.Contracts;
import example.acme.Json;
import example.acme.types.Option;
import example.acme.types.Value;
import example.acme.types.ValueLevel;
import example.acme.types.ValueKept;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** What the contracts of awkward.py must do in Java; run with assertions enabled. */
class Awkward {
    public static void main(String[] arguments) throws Exception {
        String text = "{\"members\":{\"value\":\"\",\"x\":1},\"next\":{\"members\":{\"value\":\"q.\"},\"anything\":null},"
                + "\"children\":[],\"vec\":{\"a\":{\"value\":\"ab\",\"kept\":\"a-b\",\"level\":10,\"base\":1.0,"
                + "\"get_value\":null,\"zzz\":[1.5,123456789012345678901234567890]}}}";
        Object tree = Json.read(text);
        assert Contracts.validate(tree, "option").isEmpty();
        Option typed = Option.decode(tree);
        assert typed.getNext().getMembers().getValue().equals("q.");
        assert typed.getVec().get("a").getLevel().equals(ValueLevel.VALUE_10);
        assert typed.getVec().get("a").getBase() == 1;
        assert typed.getAnything() == null && typed.getNext().has("anything") && !typed.has("anything");
        assert Json.write(typed).equals(text) : Json.write(typed);

        Value made = new Value();
        made.setValue("abc");
        made.setKept(ValueKept.of("another"));
        made.setLevel(ValueLevel.MINUS_1);
        assert !made.getKept().isKnown();
        assert made.violations().get(0).keyword().equals("enum");
        made.setKept(ValueKept.SELF);
        assert made.violations().isEmpty() : made.violations();
        made.setValue("x");
        assert made.violations().get(0).code().equals("pattern-mismatch");
        made.put("more", Map.of("n", 1));
        assert made.extra().equals(Map.of("more", Map.of("n", 1)));
        made.put("more", new Object());
        assert made.violations().get(0).code().equals("not-json");

        try {
            example.acme.types.List.decode(Map.of("entries", List.of(1, 2.0, 1e30)));
            throw new AssertionError("1e30 is no integer of 64 bits");
        } catch (ContractException wrong) {
            assert wrong.violations().get(0).pointer().equals("/entries/2");
        }
        Object two = Map.of("entries", List.of(2.0));
        assert example.acme.types.List.decode(two).getEntries().get(0).intValue() == 2;
        assert new example.acme.types.Object().toString().equals("{}");
        assert Contracts.validateItem(Map.of()).violations().get(0).code().equals("unknown-contract");
        for (Object judged : (List<?>) Json.read(Files.readAllBytes(Path.of("patterns.json")))) {
            Map<?, ?> expected = (Map<?, ?>) judged;
            Object found = Contracts.validate(expected.get("document"), "patterns").stream()
                    .map(violation -> (Object) violation.pointer())
                    .toList();
            assert found.equals(expected.get("pointers")) : found + " " + judged;
        }
        assert Contracts.validate(Map.of("value", Double.NaN), "string").get(0).code().equals("not-json");
    }
}
