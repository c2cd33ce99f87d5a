"""Transforms of documents: retrieved ones, judged ones, cited ones."""

from __future__ import annotations

from collections.abc import Mapping

from evalcontract.importing.objects import objects_in, renamed, text_option
from evalcontract.importing.values import Form, Path, Refused, cell, cell_of_texts, parted, structure

Options = Mapping[str, object]
_GRADES = (0, 1, 2)
_RELEVANCE = 2


def read_documents(value: object, options: Options, form: Form) -> object:
    names = {
        text_option(options, ours.removeprefix("document_") + "_key", ours): ours
        for ours in ("document_id", "score", "content")
    }
    documents = []
    for index, raw in enumerate(objects_in(structure(value, form), "array of documents")):
        below = (str(index),)
        document = renamed(raw, names, below)
        if document.get("document_id") is not None:
            document["document_id"] = _document_id(document["document_id"], below)
        documents.append(_own_keys_in_metadata(document, below))
    return documents


_FIELDS = ("document_id", "content", "score", "source_id", "title", "url")
_METADATA = "metadata"


def _own_keys_in_metadata(document: dict[str, object], below: Path) -> dict[str, object]:
    """The document with the keys that the contract doesn't know in its metadata."""
    own = {key: value for key, value in document.items() if key not in (*_FIELDS, _METADATA)}
    if not own:
        return document
    metadata = document.get(_METADATA)
    if metadata is not None and not isinstance(metadata, dict):
        raise Refused("object", metadata, below=(*below, _METADATA))
    twice = sorted(own.keys() & (metadata or {}).keys())
    if twice:
        raise Refused(
            f"{twice[0]} once",
            document,
            below=below,
            message=f"{twice[0]} is there, and in the metadata too",
            hint="keep the one that is meant",
        )
    known = {key: value for key, value in document.items() if key in _FIELDS}
    return {**known, _METADATA: {**(metadata or {}), **own}}


def read_passages(value: object, _: Options, form: Form) -> object:
    found = parted(value, form)
    if not isinstance(found, list):
        raise Refused("array of strings", found)
    for index, element in enumerate(found):
        if not isinstance(element, str):
            raise Refused("string", element, below=(str(index),))
    return [{"content": element} for element in found]


def write_passages(value: object, _: Options, form: Form) -> object:
    documents = objects_in(value, "array of documents")
    for index, document in enumerate(documents):
        if any(member is not None for key, member in document.items() if key != "content"):
            raise Refused("a text alone", document, below=(str(index),), hint="this format holds texts only")
    return cell_of_texts([document.get("content") for document in documents], form)


def write_documents(value: object, options: Options, form: Form) -> object:
    names = {
        ours: text_option(options, ours.removeprefix("document_") + "_key", ours)
        for ours in ("document_id", "score", "content")
    }
    documents = objects_in(value, "array of documents")
    return cell([renamed(document, names, (str(index),)) for index, document in enumerate(documents)], form)


def _document_id(value: object, below: Path) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str):
        raise Refused("document id, a string or integer", value, below=below)
    return value


def read_judgements(value: object, options: Options, form: Form) -> object:
    value = structure(value, form)
    if isinstance(value, dict) and "id_key" not in options:
        return [
            {"document_id": key, "relevance": _grade(grade, options, (key,))} for key, grade in value.items()
        ]
    id_key = text_option(options, "id_key", "document_id")
    grade_key = text_option(options, "grade_key", "relevance")
    judgements = []
    for index, raw in enumerate(objects_in(value, "array of judgements")):
        judgement = renamed(raw, {id_key: "document_id", grade_key: "relevance"}, (str(index),))
        judgement["document_id"] = _document_id(judgement.get("document_id"), (str(index), id_key))
        grade = structure(judgement.get("relevance"), form)
        judgement["relevance"] = _grade(grade, options, (str(index), grade_key))
        judgements.append(judgement)
    return judgements


def write_judgements(value: object, options: Options, form: Form) -> object:
    grades = _grades(options)
    theirs = {ours: grade for grade, ours in reversed(grades.items())}
    theirs |= {grade: grade for grade in _GRADES if grades.get(grade, grade) == grade}
    judgements = [
        {**judgement, "relevance": theirs.get(_as_int(judgement["relevance"]), judgement["relevance"])}
        for judgement in objects_in(value, "array of judgements")
    ]
    if "id_key" not in options:
        return cell(_by_document(judgements), form)
    names = {
        "document_id": text_option(options, "id_key", "document_id"),
        "relevance": text_option(options, "grade_key", "relevance"),
    }
    return cell(
        [renamed(judgement, names, (str(index),)) for index, judgement in enumerate(judgements)], form
    )


def _by_document(judgements: list[dict[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for index, judgement in enumerate(judgements):
        extra = [key for key, value in judgement.items() if key not in ("document_id", "relevance") and value]
        if extra:
            raise Refused("a document id and a grade alone", judgement, below=(str(index),))
        document_id = str(judgement["document_id"])
        if document_id in found:
            raise Refused("each document once", document_id, below=(str(index),))
        found[document_id] = judgement["relevance"]
    return found


def _grade(value: object, options: Options, below: Path) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise Refused("grade, an integer", value, below=below)
    grade = _grades(options).get(value, value)
    if grade not in _GRADES:
        raise Refused(
            "grade 0, 1 or 2",
            value,
            below=below,
            hint='say in the mapping what other grades mean, for example grades: {"3": 2}',
        )
    return grade


def _grades(options: Options) -> dict[int, int]:
    grades = options.get("grades")
    return (
        {_as_int(theirs): _as_int(ours) for theirs, ours in grades.items()}
        if isinstance(grades, dict)
        else {}
    )


def _as_int(value: object) -> int:
    return int(value) if isinstance(value, int | str) else -1


def _ids(value: object, form: Form) -> list[object]:
    if form.cells and isinstance(value, str):
        if form.delimiter is None and not value.strip().startswith("["):
            return [value]
        value = parted(value, form)
    return value if isinstance(value, list) else [value]


def _written_ids(ids: list[str], form: Form) -> object:
    if form.cells and form.delimiter is not None:
        return form.delimiter.join(ids)
    if len(ids) == 1 and not (form.cells and ids[0].strip().startswith("[")):
        return ids[0]
    return cell(ids, form)


def read_relevant_ids(value: object, options: Options, form: Form) -> object:
    grade = options.get("relevance", _RELEVANCE)
    return [
        {"document_id": _document_id(id_, (str(index),)), "relevance": grade}
        for index, id_ in enumerate(_ids(value, form))
    ]


def write_relevant_ids(value: object, options: Options, form: Form) -> object:
    grade = options.get("relevance", _RELEVANCE)
    judgements = objects_in(value, "array of judgements")
    for index, judgement in enumerate(judgements):
        if judgement.get("relevance") != grade:
            hint = "this format has no grades"
            raise Refused(
                f"grade {grade}", judgement.get("relevance"), below=(str(index), "relevance"), hint=hint
            )
    return _written_ids([str(judgement["document_id"]) for judgement in judgements], form)


def read_cited_ids(value: object, _: Options, form: Form) -> object:
    return [{"document_id": _document_id(id_, (str(index),))} for index, id_ in enumerate(_ids(value, form))]


def write_cited_ids(value: object, _: Options, form: Form) -> object:
    return _written_ids(
        [str(citation["document_id"]) for citation in objects_in(value, "array of citations")], form
    )
