use acme::types::{List, Object, Option as Tree, String as Text, Value as Node, ValueLevel, ValueKept};
use acme::{validate, validate_item, Contract};
use serde_json::json;

#[test]
fn awkward_contracts_keep_what_they_are_given() {
    let node = json!({"value": "ab", "kept": "a-b", "level": 10, "base": 1.0, "get_value": null, "zzz": [1.5]});
    let tree = json!({"members": {"value": "", "x": 1}, "next": {"members": {"value": "q."}, "anything": null}, "children": [],
        "vec": {"a": node}});
    assert_eq!(validate(&tree, "option").unwrap(), []);
    let typed = Tree::decode(tree.clone()).unwrap();
    assert_eq!(typed.next.as_ref().unwrap().members.value, "q.");
    assert_eq!(typed.vec.as_ref().unwrap()["a"].level, ValueLevel::Value10);
    let mut expected = tree.clone();
    expected["vec"]["a"]["base"] = json!(1);
    assert_eq!(typed.encode(), expected);

    let mut made = Node::new("abc".to_owned(), ValueKept::from("another"), ValueLevel::Minus1);
    assert_eq!(made.violations()[0].keyword, Some("enum"));
    made.kept = ValueKept::from("Self");
    assert!(made.violations().is_empty());
    made.value = "x".to_owned();
    assert_eq!(made.violations()[0].code, "pattern-mismatch");

    assert_eq!(Text::decode(json!({"value": 3})).unwrap_err().violations[0].code, "wrong-type");
    assert!(List::decode(json!({"entries": [1, 2.0, 1e30]})).is_err());
    assert_eq!(List::decode(json!({"entries": [2.0]})).unwrap().entries, [2]);
    assert_eq!(Object::default().encode(), json!({}));
    let judged = std::fs::read("patterns.json").unwrap();
    for expected in acme::read(&judged).unwrap().as_array().unwrap() {
        let found = validate(&expected["document"], "patterns").unwrap();
        let pointers: Vec<_> = found.iter().map(|violation| violation.pointer.as_str()).collect();
        assert_eq!(json!(pointers), expected["pointers"], "{}", expected["document"]);
    }
    assert_eq!(validate_item(&json!({}), None).violations[0].code, "unknown-contract");
}
