
package PACKAGE

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Verdict is what was found about one item, the contract that it was judged by, and who said so: "item",
// "dataset" or, when nobody declares a schema type, "envelope".
type Verdict struct {
	Contract   string
	Origin     string
	Violations []Violation
}

// Valid tells whether no violation is an error.
func (v Verdict) Valid() bool {
	return !slices.ContainsFunc(v.Violations, func(found Violation) bool { return found.Severity == "error" })
}

// ValidateItem reads an item and judges it by the schema type that it declares, else by that of the metadata of
// its dataset, a JSON text or nil. The error is a *ReadError.
func ValidateItem(item, datasetMetadata []byte) (Verdict, error) {
	value, err := parse(item)
	if err != nil {
		return Verdict{}, err
	}
	var metadata any
	if datasetMetadata != nil {
		if metadata, err = parse(datasetMetadata); err != nil {
			return Verdict{}, err
		}
	}
	return judgeItem(value, metadata)
}

// ValidateDataset reads a dataset and gives every violation of it, and of each item under the type that applies
// to it, pointers from the top. The error is a *ReadError.
func ValidateDataset(data []byte) ([]Violation, error) {
	dataset, err := parse(data)
	if err != nil {
		return nil, err
	}
	name, err := resolve("dataset")
	if err != nil {
		return nil, err
	}
	found := []Violation{}
	seen := map[[2]string]bool{}
	add := func(violation Violation) {
		key := [2]string{violation.Pointer, violation.Keyword}
		if violation.Keyword == "" {
			key[1] = violation.Code
		}
		if !seen[key] {
			seen[key] = true
			found = append(found, violation)
		}
	}
	items, _ := member(dataset, "items").([]any)
	for index, item := range items {
		verdict, err := judgeItem(item, member(dataset, "metadata"))
		if err != nil {
			return nil, err
		}
		for _, violation := range verdict.Violations {
			violation.Pointer = "/items/" + strconv.Itoa(index) + violation.Pointer
			add(violation)
		}
	}
	for _, violation := range judge(dataset, &schema{Ref: name}, name) {
		add(violation)
	}
	return found, nil
}

const (
	typeField    = "input_schema_type"
	versionField = "input_schema_version"
	inItem       = "/metadata/raw_metadata"
)

var isVersion = regexp.MustCompile(`^(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})$`)

type choice struct {
	name, origin string
	pair         map[string]string
	findings     []Violation
}

func judgeItem(item, metadata any) (Verdict, error) {
	envelope, err := resolve("evaluation_item")
	if err != nil {
		return Verdict{}, err
	}
	chosen := choose(member(member(item, "metadata"), "raw_metadata"), metadata)
	contract, under := envelope, &schema{AllOf: []*schema{{Ref: envelope}}}
	if chosen.pair != nil {
		contract = chosen.name
		under.Properties = map[string]*schema{
			"input":           {Ref: chosen.pair["input"]},
			"expected_output": {Ref: chosen.pair["expected_output"]},
		}
		under.Required = []string{"expected_output"}
	}
	chosen.findings = append(chosen.findings, judgedTwice(item)...)
	for index := range chosen.findings {
		chosen.findings[index].Contract = contract
	}
	return Verdict{contract, chosen.origin, append(chosen.findings, judge(item, under, contract)...)}, nil
}

// judgedTwice finds documents that a ground truth judges again: what no schema can say.
func judgedTwice(item any) (found []Violation) {
	rows, _ := member(member(item, "expected_output"), "retrieval_ground_truth").([]any)
	seen := map[string]bool{}
	for index, row := range rows {
		id, ok := member(row, "document_id").(string)
		if ok && seen[id] {
			found = append(found, Violation{
				Code:     "duplicate-judgement",
				Message:  fmt.Sprintf("the ground truth judges document %s twice", shown(id)),
				Pointer:  fmt.Sprintf("/expected_output/retrieval_ground_truth/%d/document_id", index),
				Expected: "one judgement a document",
				Actual:   shown(id),
				Severity: "error",
			})
		}
		seen[id] = seen[id] || ok
	}
	return found
}

func member(value any, key string) any {
	if holder, ok := value.(*object); ok {
		return holder.values[key]
	}
	return nil
}

func choose(item, dataset any) choice {
	if conflict := disagreement(item, dataset); conflict != nil {
		return choice{origin: "envelope", findings: conflict}
	}
	place, origin := inItem, "item"
	name, declared := member(item, typeField).(string)
	if !declared {
		place, origin = "", "dataset"
		if name, declared = member(dataset, typeField).(string); !declared {
			return choice{origin: "envelope"}
		}
	}
	version, stated := member(item, versionField).(string)
	if !stated {
		version, stated = member(dataset, versionField).(string)
	}
	known, ok := table.SchemaTypes[name]
	if !ok {
		return unknown(place+"/"+typeField, name, "unknown-schema-type", "schema type")
	}
	versions := sortedVersions(known)
	newest := versions[len(versions)-1]
	if !stated || !isVersion.MatchString(version) {
		version = newest
	}
	if pair, ok := known[version]; ok {
		return choice{name + "@" + version, origin, pair, nil}
	}
	major, _, _ := strings.Cut(version, ".")
	used := ""
	for _, other := range versions {
		if strings.HasPrefix(other, major+".") {
			used = other
		}
	}
	if used == "" {
		return unknown(place+"/"+versionField, name+"@"+version, "unknown-schema-version", "version of a schema type")
	}
	message := fmt.Sprintf("%s@%s is not known here; checked against %s@%s", name, version, name, used)
	advice := Violation{Code: "unknown-minor-version", Message: message, Pointer: place + "/" + versionField, Severity: "advice"}
	return choice{name + "@" + used, origin, known[used], []Violation{advice}}
}

func disagreement(item, dataset any) []Violation {
	var found []Violation
	for _, field := range []string{typeField, versionField} {
		own, declared := member(item, field).(string)
		other, alsoDeclared := member(dataset, field).(string)
		if !declared || !alsoDeclared || own == other {
			continue
		}
		if field == versionField && !(isVersion.MatchString(own) && isVersion.MatchString(other)) {
			continue
		}
		message := fmt.Sprintf("the item declares %s %s, its dataset declares %s", field, shown(own), shown(other))
		found = append(found, Violation{
			"declarations-disagree", message, inItem + "/" + field, "", shown(other), shown(own), "error", "",
		})
	}
	return found
}

func unknown(pointer, value, code, thing string) choice {
	var names []string
	for _, name := range typeOrder {
		for _, version := range sortedVersions(table.SchemaTypes[name]) {
			names = append(names, name+"@"+version)
		}
	}
	known := shortList("known: ", names)
	message := fmt.Sprintf("%s is not a known %s; %s", shown(value), thing, known)
	found := Violation{code, message, pointer, "", known, shown(value), "error", ""}
	return choice{origin: "envelope", findings: []Violation{found}}
}

func sortedVersions(known map[string]map[string]string) []string {
	versions := make([]string, 0, len(known))
	for version := range known {
		versions = append(versions, version)
	}
	slices.SortFunc(versions, func(left, right string) int {
		leftMajor, leftMinor := numbers(left)
		rightMajor, rightMinor := numbers(right)
		if leftMajor != rightMajor {
			return leftMajor - rightMajor
		}
		return leftMinor - rightMinor
	})
	return versions
}

func numbers(version string) (major, minor int) {
	before, after, _ := strings.Cut(version, ".")
	major, _ = strconv.Atoi(before)
	minor, _ = strconv.Atoi(after)
	return major, minor
}
