package driver;

import example.evalcontract.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiFunction;

/** Cases from standard input, answers to standard output: see tests/languages/protocol.py. */
final class Cases {
    private Cases() {}

    /** Answers each case; {@code answer} takes a contract and the bytes of a text. */
    static void answerAll(BiFunction<String, byte[], Map<String, Object>> answer) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            Map<?, ?> asked = (Map<?, ?>) Json.read(line);
            byte[] bytes = Base64.getDecoder().decode((String) asked.get("bytes"));
            Map<String, Object> answered = new LinkedHashMap<>(answer.apply((String) asked.get("contract"), bytes));
            answered.put("id", asked.get("id"));
            out.println(Json.write(answered));
        }
        out.flush();
    }
}
