// Answers the cases of tests/languages/protocol.py. The map typed, of every contract's round trip, is written
// beside this file by the build.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"

	contracts "evalcontract.example/evalcontract"
)

type question struct {
	ID       int    `json:"id"`
	Contract string `json:"contract"`
	Bytes    []byte `json:"bytes"`
}

type answer struct {
	ID         int      `json:"id"`
	Fault      *string  `json:"fault"`
	Violations [][4]any `json:"violations"`
	Written    *string  `json:"written"`
}

func main() {
	input := bufio.NewReaderSize(os.Stdin, 1<<20)
	output := bufio.NewWriter(os.Stdout)
	defer output.Flush()
	for {
		line, err := input.ReadBytes('\n')
		if err != nil {
			return
		}
		var asked question
		must(json.Unmarshal(line, &asked))
		text, err := json.Marshal(answered(asked))
		must(err)
		output.Write(append(text, '\n'))
	}
}

func answered(asked question) answer {
	given := answer{ID: asked.ID, Violations: [][4]any{}}
	violations, err := judged(asked)
	var refusal *contracts.ReadError
	if errors.As(err, &refusal) {
		given.Fault = &refusal.Code
		return given
	}
	must(err)
	for _, found := range violations {
		var keyword any = found.Keyword
		if found.Keyword == "" {
			keyword = nil
		}
		given.Violations = append(given.Violations, [4]any{found.Pointer, keyword, found.Code, found.Message})
	}
	if written := written(asked, len(violations) == 0); written != nil {
		text := string(written)
		given.Written = &text
	}
	return given
}

func judged(asked question) ([]contracts.Violation, error) {
	switch asked.Contract {
	case "@json":
		_, err := contracts.Parse(asked.Bytes)
		return nil, err
	case "@item":
		verdict, err := contracts.ValidateItem(asked.Bytes, nil)
		return verdict.Violations, err
	case "@dataset":
		return contracts.ValidateDataset(asked.Bytes)
	}
	return contracts.Validate(asked.Bytes, asked.Contract)
}

func written(asked question, valid bool) []byte {
	if asked.Contract == "@json" {
		value, err := contracts.Parse(asked.Bytes)
		must(err)
		text, err := contracts.Encode(value)
		must(err)
		return text
	}
	roundTrip, known := typed[asked.Contract]
	if !known || !valid {
		return nil
	}
	text, err := roundTrip(asked.Bytes)
	must(err)
	return text
}

func roundTrip[T any](decode func([]byte) (T, error)) func([]byte) ([]byte, error) {
	return func(data []byte) ([]byte, error) {
		value, err := decode(data)
		if err != nil {
			return nil, err
		}
		return contracts.Encode(value)
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
