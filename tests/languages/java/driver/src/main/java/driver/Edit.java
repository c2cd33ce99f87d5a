package driver;

import example.evalcontract.Json;
import example.evalcontract.types.Dataset;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads a dataset, changes the first item's {@code item_id} and writes the dataset back: IN OUT. */
public final class Edit {
    private Edit() {}

    public static void main(String[] arguments) throws IOException {
        Dataset dataset = Dataset.read(Files.readAllBytes(Path.of(arguments[0])));
        dataset.getItems().get(0).setItemId("renamed");
        Files.writeString(Path.of(arguments[1]), Json.write(dataset, 2) + "\n");
    }
}
