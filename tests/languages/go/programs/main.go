// Small programs over the module: edit, lines, judge and oracle.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	contracts "evalcontract.example/evalcontract"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

func main() {
	switch os.Args[1] {
	case "edit":
		edit(os.Args[2], os.Args[3])
	case "lines":
		lines()
	case "judge":
		judge(os.Args[2:])
	case "oracle":
		oracle()
	}
}

// edit changes one field of one item of a dataset.
func edit(source, target string) {
	data, err := os.ReadFile(source)
	must(err)
	dataset, err := contracts.Decode[contracts.Dataset](data)
	must(err)
	dataset.Items[0].ItemID = "changed"
	text, err := contracts.Encode(dataset)
	must(err)
	must(os.WriteFile(target, text, 0o644))
}

// lines judges a long JSON Lines stream that is made as it is read.
func lines() {
	source, sink := io.Pipe()
	go func() {
		padding := strings.Repeat("x", 4000)
		for number := range 40_000 {
			id := ""
			if number%100 != 0 {
				id = fmt.Sprint(number)
			}
			fmt.Fprintf(sink, "{\"item_id\":%q,\"input\":{\"messages\":[],\"padding\":%q}}\n", id, padding)
		}
		sink.Close()
	}()
	count, violations := 0, 0
	read := contracts.NewLines(source)
	for read.Next() {
		count++
		violations += len(read.Line().Verdict.Violations)
	}
	must(read.Err())
	fmt.Println(count, violations)
}

// judge prints a line of JSON for each line of a JSON Lines file: `judge FILE LONGEST [DATASET_METADATA]`.
func judge(arguments []string) {
	file, err := os.Open(arguments[0])
	must(err)
	read := contracts.NewLines(file)
	read.MaxBytes, err = strconv.Atoi(arguments[1])
	must(err)
	if len(arguments) > 2 {
		read.DatasetMetadata = []byte(arguments[2])
	}
	for read.Next() {
		line := read.Line()
		printed := map[string]any{"contract": nil, "fault": nil, "violations": []any{}}
		if fault := line.Fault; fault != nil {
			printed["fault"] = []any{fault.Code, fault.Line, fault.Column, fault.Message}
		} else {
			found := []any{}
			for _, violation := range line.Verdict.Violations {
				found = append(found, []any{violation.Pointer, violation.Keyword, violation.Code, violation.Message})
			}
			printed["contract"], printed["violations"] = line.Verdict.Contract, found
		}
		must(json.NewEncoder(os.Stdout).Encode(printed))
	}
	must(read.Err())
}

// oracle tells for each case on standard input whether it is valid, by santhosh-tekuri/jsonschema and the bundles.
func oracle() {
	compiled := map[string]*jsonschema.Schema{}
	verdicts := []bool{}
	input := bufio.NewReaderSize(os.Stdin, 1<<20)
	for {
		line, err := input.ReadBytes('\n')
		if err != nil {
			break
		}
		var asked struct {
			Contract string
			Bytes    []byte
		}
		must(json.Unmarshal(line, &asked))
		schema := compiled[asked.Contract]
		if schema == nil {
			schema = compile(asked.Contract)
			compiled[asked.Contract] = schema
		}
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(string(asked.Bytes)))
		must(err)
		verdicts = append(verdicts, schema.Validate(value) == nil)
	}
	must(json.NewEncoder(os.Stdout).Encode(verdicts))
}

func compile(contract string) *jsonschema.Schema {
	text, err := contracts.Bundle(contract)
	must(err)
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
	must(err)
	compiler := jsonschema.NewCompiler()
	must(compiler.AddResource("bundle.json", document))
	return compiler.MustCompile("bundle.json")
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
