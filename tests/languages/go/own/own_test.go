package acme

import (
	"strings"
	"testing"
)

func TestRoundTrip(t *testing.T) {
	const given = `{"choice":"later","extra":{"<":12345678901234567890},"maybe_whole":2.0,"maybe_flag":null,"wholes":[1.0,2]}`
	const wanted = `"wholes":[1,2],"parts":[],"open":{},"shares":{},"named_parts":{},`
	var value EveryKind
	if err := value.UnmarshalJSON([]byte(given)); err != nil {
		t.Fatal(err)
	}
	if value.Choice != "later" || *value.MaybeWhole != 2 || value.MaybeFlag != nil {
		t.Fatal(value)
	}
	text, err := Encode(value)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{wanted, `"extra":{"<":12345678901234567890}`, `"maybe_flag":null`, `"maybe_whole":2,`} {
		if !strings.Contains(string(text), part) {
			t.Fatal(string(text), part)
		}
	}
}
