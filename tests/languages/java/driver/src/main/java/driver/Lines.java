package driver;

import example.evalcontract.Items;
import example.evalcontract.Json;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Prints a line of JSON for each line of a JSON Lines file: FILE LONGEST [DATASET_METADATA]. */
public final class Lines {
    private Lines() {}

    public static void main(String[] arguments) throws IOException {
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        Object metadata = arguments.length > 2 ? Json.read(arguments[2]) : null;
        int longest = Integer.parseInt(arguments[1]);
        try (Items items = new Items(Files.newInputStream(Path.of(arguments[0])), metadata, longest)) {
            while (items.hasNext()) {
                out.println(Json.write(printed(items.next())));
            }
        }
        out.flush();
    }

    private static Map<String, Object> printed(Items.Line line) {
        Map<String, Object> made = new LinkedHashMap<>();
        made.put("line", line.number());
        made.put("contract", line.verdict() == null ? null : line.verdict().contract());
        made.put("fault", line.fault() == null
                ? null
                : List.of(line.fault().code(), line.fault().line(), line.fault().column(), line.fault().reason()));
        made.put("violations", line.verdict() == null
                ? List.of()
                : line.verdict().violations().stream()
                        .map(found -> Arrays.asList(
                                found.pointer(), found.keyword(), found.code(), found.message()))
                        .toList());
        return made;
    }
}
