package driver;

import com.fasterxml.jackson.databind.ObjectMapper;
import example.evalcontract.Contracts;
import example.evalcontract.Document;
import example.evalcontract.Json;
import example.evalcontract.ReadException;
import example.evalcontract.Types;
import example.evalcontract.Violation;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Answers the cases of tests/languages/protocol.py. Argument: what writes documents, `ours`, `jackson2`, `jackson3`. */
public final class Driver {
    private static final ObjectMapper TWO = new ObjectMapper();
    private static final tools.jackson.databind.ObjectMapper THREE = new tools.jackson.databind.ObjectMapper();

    private Driver() {}

    public static void main(String[] arguments) throws IOException {
        Cases.answerAll((contract, bytes) -> answer(arguments[0], contract, bytes));
    }

    private static Map<String, Object> answer(String how, String contract, byte[] bytes) {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("fault", null);
        answer.put("violations", List.of());
        answer.put("written", null);
        Object value;
        try {
            value = Json.read(bytes);
        } catch (ReadException refusal) {
            answer.put("fault", refusal.code());
            return answer;
        }
        List<Violation> found = judged(contract, value);
        answer.put("violations", found.stream().map(Driver::listed).toList());
        if (contract.equals("@json")) {
            answer.put("written", Json.write(value));
        } else if (!contract.startsWith("@") && found.isEmpty()) {
            answer.put("written", rewritten(how, Types.decode(value, contract), bytes));
        }
        return answer;
    }

    private static List<String> listed(Violation found) {
        return Arrays.asList(found.pointer(), found.keyword(), found.code(), found.message());
    }

    private static List<Violation> judged(String contract, Object value) {
        return switch (contract) {
            case "@json" -> List.of();
            case "@item" -> Contracts.validateItem(value).violations();
            case "@dataset" -> Contracts.validateDataset(value);
            default -> Contracts.validate(value, contract);
        };
    }

    private static String rewritten(String how, Document document, byte[] bytes) {
        try {
            return switch (how) {
                case "jackson2" -> TWO.writeValueAsString(TWO.readValue(bytes, document.getClass()));
                case "jackson3" -> THREE.writeValueAsString(THREE.readValue(bytes, document.getClass()));
                default -> Json.write(document);
            };
        } catch (IOException error) {
            throw new IllegalStateException(error);
        }
    }
}
