
package PACKAGE

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"sort"
	"strconv"
	"strings"
)

// Decode reads a strict JSON text, checks it against the contract of T and gives it as a T, with every property
// that the contract doesn't define. The error is a *ReadError or a *ContractError.
func Decode[T interface{ contractName() string }](data []byte) (T, error) {
	var made T
	violations, err := Validate(data, made.contractName())
	if err != nil {
		return made, err
	}
	if len(violations) > 0 {
		return made, &ContractError{made.contractName(), violations}
	}
	text, err := decodeText(data)
	if err != nil {
		return made, err
	}
	err = json.Unmarshal([]byte(strings.TrimPrefix(text, bom)), &made)
	return made, err
}

// Encode writes a value as JSON. Unlike json.Marshal it leaves <, > and & as they are.
func Encode(value any) ([]byte, error) {
	var made bytes.Buffer
	encoder := json.NewEncoder(&made)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(made.Bytes(), []byte("\n")), nil
}

// property is a property of a type: where its value is, and whether it may be null or left out.
type property struct {
	name     string
	target   any
	optional bool
}

// decodeObject sets the known properties, extra to all others, and nulls to the names of optional ones that are
// null, which so stay apart from those that are absent.
func decodeObject(data []byte, properties []property, extra *map[string]any, nulls *map[string]bool) error {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(data, &members); err != nil {
		return err
	}
	*extra, *nulls = nil, map[string]bool{}
	for _, known := range properties {
		raw, ok := members[known.name]
		delete(members, known.name)
		target := reflect.ValueOf(known.target).Elem()
		target.SetZero()
		if ok && known.optional && string(raw) == "null" {
			(*nulls)[known.name] = true
		} else if ok {
			if err := decodeInto(raw, target); err != nil {
				return fmt.Errorf("%s: %w", known.name, err)
			}
		}
	}
	if len(members) > 0 {
		*extra = make(map[string]any, len(members))
	}
	for name, raw := range members {
		var value any
		if err := decodeInto(raw, reflect.ValueOf(&value).Elem()); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		(*extra)[name] = value
	}
	return nil
}

func encodeObject(properties []property, extra map[string]any, nulls map[string]bool) ([]byte, error) {
	var made bytes.Buffer
	write := func(name string, value any) error {
		text, err := Encode(value)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if made.Len() > 0 {
			made.WriteByte(',')
		}
		made.WriteString(quoted(name))
		made.WriteByte(':')
		made.Write(text)
		return nil
	}
	known := map[string]bool{}
	for _, property := range properties {
		known[property.name] = true
		value := reflect.ValueOf(property.target).Elem()
		if property.optional && value.IsNil() && !nulls[property.name] {
			continue
		}
		if err := write(property.name, written(value, property.optional)); err != nil {
			return nil, err
		}
	}
	names := make([]string, 0, len(extra))
	for name := range extra {
		if !known[name] {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	for _, name := range names {
		if err := write(name, extra[name]); err != nil {
			return nil, err
		}
	}
	return append(append([]byte{'{'}, made.Bytes()...), '}'), nil
}

// written is a value to be written: of what is required, a nil slice is an empty array and a nil map an empty object.
func written(value reflect.Value, optional bool) any {
	if !optional && value.Kind() == reflect.Slice && value.IsNil() {
		return []any{}
	}
	if !optional && value.Kind() == reflect.Map && value.IsNil() {
		return map[string]any{}
	}
	switch held := value.Interface().(type) {
	case float64:
		return exact(held)
	case *float64:
		if held != nil {
			return exact(*held)
		}
	case map[string]float64:
		if held != nil {
			numbers := make(map[string]any, len(held))
			for name, number := range held {
				numbers[name] = exact(number)
			}
			return numbers
		}
	}
	return value.Interface()
}

// exact is a number to be written; json.Marshal rounds whole numbers beyond 2^53.
func exact(number float64) any {
	if size := math.Abs(number); size < 1<<53 || size >= 1e21 || number != math.Trunc(number) {
		return number
	}
	return json.Number(strconv.FormatFloat(number, 'f', 0, 64))
}

// decodeInto is json.Unmarshal, but 2.0 is an integer and a number in an untyped value stays as it is written.
func decodeInto(raw []byte, target reflect.Value) error {
	switch target.Kind() {
	case reflect.Pointer:
		if string(raw) == "null" {
			return nil
		}
		target.Set(reflect.New(target.Type().Elem()))
		return decodeInto(raw, target.Elem())
	case reflect.Int64:
		var number json.Number
		if err := json.Unmarshal(raw, &number); err != nil {
			return err
		}
		whole, err := number.Int64()
		if err != nil {
			float, failed := number.Float64()
			if whole = int64(float); failed != nil || math.Abs(float) >= 1<<63 || float64(whole) != float {
				return err
			}
		}
		target.SetInt(whole)
		return nil
	case reflect.Slice:
		var elements []json.RawMessage
		if err := json.Unmarshal(raw, &elements); err != nil {
			return err
		}
		made := reflect.MakeSlice(target.Type(), len(elements), len(elements))
		for index, element := range elements {
			if err := decodeInto(element, made.Index(index)); err != nil {
				return err
			}
		}
		target.Set(made)
		return nil
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	return decoder.Decode(target.Addr().Interface())
}
