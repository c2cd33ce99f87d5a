
package PACKAGE

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Violation is one way in which a value breaks its contract. Pointer is the JSON pointer of the value; for a
// missing property, of the place where it should be. Keyword is empty when no keyword of a schema found it.
type Violation struct {
	Code     string
	Message  string
	Pointer  string
	Keyword  string
	Expected string
	Actual   string
	// Severity is "error" or "advice".
	Severity string
	Contract string
}

func (v Violation) String() string {
	where := v.Pointer
	if where == "" {
		where = "(document)"
	}
	return where + ": " + v.Message
}

// ContractError lists every way in which a value breaks a contract.
type ContractError struct {
	Contract   string
	Violations []Violation
}

func (e *ContractError) Error() string {
	lines := []string{fmt.Sprintf("the value breaks %s:", e.Contract)}
	for _, violation := range e.Violations[:min(5, len(e.Violations))] {
		lines = append(lines, violation.String())
	}
	return strings.Join(lines, "\n  ")
}

// Validate reads a strict JSON text and gives every way in which it breaks a contract, named "rag_input" (its
// newest version) or "rag_input@1.0". The error is a *ReadError for a text that can't be read, or says that there
// is no such contract.
func Validate(data []byte, contract string) ([]Violation, error) {
	name, err := resolve(contract)
	if err != nil {
		return nil, err
	}
	value, err := parse(data)
	if err != nil {
		return nil, err
	}
	return judge(value, &schema{Ref: name}, name), nil
}

// Bundle is a self-contained JSON Schema for other validators: of a contract, named with or without its version, of
// whole items and datasets of a schema type ("rag_item@1.0"), or by declared type ("typed_dataset").
func Bundle(name string) ([]byte, error) {
	full, unknown := resolve(name)
	if unknown != nil {
		full = name
	}
	text, err := bundles.ReadFile("bundles/" + strings.Replace(full, "@", "-", 1) + ".schema.json")
	if err != nil {
		return nil, unknown
	}
	return text, nil
}

func resolve(contract string) (string, error) {
	name := contract
	if newest, ok := table.Newest[contract]; ok {
		name = contract + "@" + newest
	}
	if _, ok := table.Contracts[name]; !ok {
		return "", fmt.Errorf("there is no contract %s", shown(contract))
	}
	return name, nil
}

// schema holds the keywords that contracts use, and their order.
type schema struct {
	Ref                  string             `json:"$ref"`
	Type                 types              `json:"type"`
	Enum                 []any              `json:"enum"`
	AllOf                []*schema          `json:"allOf"`
	AnyOf                []*schema          `json:"anyOf"`
	Properties           map[string]*schema `json:"properties"`
	Required             []string           `json:"required"`
	Items                *schema            `json:"items"`
	AdditionalProperties *schema            `json:"additionalProperties"`
	MinLength            *int               `json:"minLength"`
	MaxLength            *int               `json:"maxLength"`
	MinItems             *int               `json:"minItems"`
	MaxItems             *int               `json:"maxItems"`
	Minimum              json.Number        `json:"minimum"`
	Maximum              json.Number        `json:"maximum"`
	Pattern              string             `json:"pattern"`
}

type types []string

func (t *types) UnmarshalJSON(data []byte) error {
	if data[0] == '[' {
		return json.Unmarshal(data, (*[]string)(t))
	}
	*t = types{""}
	return json.Unmarshal(data, &(*t)[0])
}

type contractTable struct {
	MaxDepth    int                                     `json:"max_depth"`
	Newest      map[string]string                       `json:"newest"`
	SchemaTypes map[string]map[string]map[string]string `json:"schema_types"`
	Contracts   map[string]*schema                      `json:"contracts"`
}

var table = func() (read contractTable) {
	decoder := json.NewDecoder(strings.NewReader(tableText))
	decoder.UseNumber()
	if err := decoder.Decode(&read); err != nil {
		panic(err)
	}
	return read
}()
