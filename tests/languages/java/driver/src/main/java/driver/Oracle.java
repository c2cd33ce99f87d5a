package driver;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import example.evalcontract.Contracts;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** Answers cases with networknt's validator and the bundles of the package. */
public final class Oracle {
    private Oracle() {}

    public static void main(String[] arguments) throws IOException {
        ObjectMapper mapper = new ObjectMapper();
        SchemaRegistry registry = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);
        Map<String, Schema> schemas = new HashMap<>();
        Cases.answerAll((contract, bytes) -> {
            Schema schema = schemas.computeIfAbsent(contract, name -> registry.getSchema(Contracts.bundle(name)));
            try {
                JsonNode value = mapper.readTree(bytes);
                return Map.of("valid", schema.validate(value).isEmpty());
            } catch (IOException error) {
                throw new IllegalStateException(error);
            }
        });
    }
}
