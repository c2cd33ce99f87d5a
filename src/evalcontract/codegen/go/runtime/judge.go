
package PACKAGE

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

type failure struct {
	pointer, keyword, code, expected, message string
	value                                     any
}

func judge(value any, under *schema, contract string) []Violation {
	found := []Violation{}
	seen := map[[2]string]bool{}
	check(under, value, "", func(f failure) {
		key := [2]string{f.pointer, f.keyword}
		if seen[key] {
			return
		}
		seen[key] = true
		got := actual(f.value)
		if f.keyword == "required" {
			got = "nothing"
		}
		if f.message == "" {
			f.message = fmt.Sprintf("expected %s, got %s", f.expected, got)
		}
		found = append(found, Violation{f.code, f.message, f.pointer, f.keyword, f.expected, got, "error", contract})
	})
	return found
}

func check(s *schema, value any, at string, add func(failure)) {
	fail := func(keyword, code, expected string) {
		add(failure{at, keyword, code, expected, "", value})
	}
	if s.Ref != "" {
		check(table.Contracts[s.Ref], value, at, add)
	}
	if s.Type != nil && !hasType(value, s.Type) {
		fail("type", "wrong-type", expectedType(s))
	}
	if s.Enum != nil && !slices.ContainsFunc(s.Enum, func(member any) bool { return same(member, value) }) {
		members := make([]string, len(s.Enum))
		for index, member := range s.Enum {
			members[index] = short(member, 30)
		}
		fail("enum", "not-allowed", shortList("one of ", members))
	}
	for _, part := range s.AllOf {
		check(part, value, at, add)
	}
	if s.AnyOf != nil {
		checkAlternatives(s, value, at, add)
	}
	switch value := value.(type) {
	case *object:
		checkObject(s, value, at, add)
	case []any:
		if s.Items != nil {
			for index, element := range value {
				check(s.Items, element, at+"/"+strconv.Itoa(index), add)
			}
		}
		if s.MinItems != nil && len(value) < *s.MinItems {
			fail("minItems", "too-few-items", count("at least", *s.MinItems, "item"))
		}
		if s.MaxItems != nil && len(value) > *s.MaxItems {
			fail("maxItems", "too-many-items", count("at most", *s.MaxItems, "item"))
		}
	case string:
		if s.MinLength != nil && utf8.RuneCountInString(value) < *s.MinLength {
			fail("minLength", "too-short", count("at least", *s.MinLength, "character"))
		}
		if s.MaxLength != nil && utf8.RuneCountInString(value) > *s.MaxLength {
			fail("maxLength", "too-long", count("at most", *s.MaxLength, "character"))
		}
		if s.Pattern != "" && !compiled(s.Pattern).MatchString(value) {
			fail("pattern", "pattern-mismatch", "text matching "+s.Pattern)
		}
	case json.Number:
		if s.Minimum != "" && float(value) < float(s.Minimum) {
			fail("minimum", "too-small", "at least "+short(s.Minimum, limit))
		}
		if s.Maximum != "" && float(value) > float(s.Maximum) {
			fail("maximum", "too-large", "at most "+short(s.Maximum, limit))
		}
	}
}

func checkObject(s *schema, value *object, at string, add func(failure)) {
	for _, key := range value.keys {
		if property, ok := s.Properties[key]; ok {
			check(property, value.values[key], at+step(key), add)
		} else if s.AdditionalProperties != nil {
			check(s.AdditionalProperties, value.values[key], at+step(key), add)
		}
	}
	for _, name := range s.Required {
		if _, ok := value.values[name]; ok {
			continue
		}
		expected, wanted := "a value", s.Properties[name]
		if wanted != nil && wanted.Ref != "" {
			wanted = table.Contracts[wanted.Ref]
		}
		if wanted != nil && wanted.Type != nil {
			expected = expectedType(wanted)
		}
		message := fmt.Sprintf("%s is required but missing, expected %s", name, expected)
		add(failure{at + step(name), "required", "missing-property", expected, message, value})
	}
}

// checkAlternatives adds the failures of the branch that was meant, where branches differ by type alone.
func checkAlternatives(s *schema, value any, at string, add func(failure)) {
	var meant [][]failure
	var kinds []string
	allTypes := true
	for _, branch := range s.AnyOf {
		var failures []failure
		check(branch, value, at, func(f failure) { failures = append(failures, f) })
		if len(failures) == 0 {
			return
		}
		wrongType := false
		for _, f := range failures {
			wrongType = wrongType || f.pointer == at && (f.keyword == "type" || f.keyword == "enum")
			allTypes = allTypes && f.keyword == "type"
		}
		if !wrongType {
			meant = append(meant, failures)
		}
		kind := "object"
		if branch.Ref == "" {
			kind = expectedType(branch)
		}
		if !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	if len(meant) == 1 {
		for _, f := range meant[0] {
			add(f)
		}
		return
	}
	expected := strings.ReplaceAll(shortList("", kinds), ", ", " or ")
	if allTypes {
		add(failure{at, "type", "wrong-type", expected, "", value})
	} else {
		add(failure{at, "anyOf", "no-alternative", expected, "", value})
	}
}

func hasType(value any, wanted types) bool {
	switch value := value.(type) {
	case nil:
		return slices.Contains(wanted, "null")
	case bool:
		return slices.Contains(wanted, "boolean")
	case string:
		return slices.Contains(wanted, "string")
	case []any:
		return slices.Contains(wanted, "array")
	case *object:
		return slices.Contains(wanted, "object")
	case json.Number:
		return slices.Contains(wanted, "number") || slices.Contains(wanted, "integer") && isWhole(value)
	}
	return false
}

func same(member, value any) bool {
	expected, isNumber := member.(json.Number)
	given, alsoNumber := value.(json.Number)
	if isNumber && alsoNumber {
		return float(expected) == float(given)
	}
	text, isText := value.(string)
	return isText && member == text
}

func float(n json.Number) float64 {
	value, _ := n.Float64()
	return value
}

func expectedType(s *schema) string {
	names := make([]string, len(s.Type))
	for index, name := range s.Type {
		names[index] = name
		if name == "array" && s.Items != nil && s.Items.Ref != "" {
			names[index] = "array of objects"
		} else if name == "array" && s.Items != nil && len(s.Items.Type) == 1 {
			names[index] = "array of " + s.Items.Type[0] + "s"
		}
	}
	if len(names) == 0 {
		return "another value"
	}
	return strings.Join(names, " or ")
}

// step is one step of a JSON pointer.
func step(key string) string {
	return "/" + strings.ReplaceAll(strings.ReplaceAll(key, "~", "~0"), "/", "~1")
}

var patterns sync.Map

// compiled is a pattern of the contracts, which are written so that they mean the same to every engine.
func compiled(pattern string) *regexp.Regexp {
	if found, ok := patterns.Load(pattern); ok {
		return found.(*regexp.Regexp)
	}
	made := regexp.MustCompile(translated(pattern))
	patterns.Store(pattern, made)
	return made
}

// translated is a pattern in which a dot is what it is in JSON Schema: anything but the end of a line.
func translated(pattern string) string {
	var made strings.Builder
	inClass := false
	for at := 0; at < len(pattern); at++ {
		switch {
		case pattern[at] == '\\':
			made.WriteByte(pattern[at])
			at++
		case pattern[at] == '.' && !inClass:
			made.WriteString(`[^\n\r\x{2028}\x{2029}]`)
			continue
		case pattern[at] == '[' || pattern[at] == ']':
			inClass = pattern[at] == '['
		}
		made.WriteByte(pattern[at])
	}
	return made.String()
}
