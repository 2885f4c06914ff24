"""The grammar of input specs: what it reads, how it says what is wrong, and that it reads what it writes."""

from __future__ import annotations

import string

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jaxlint.verify import specs
from jaxlint.verify.specs import (
    ArraySpec,
    DictSpec,
    KeySpec,
    ListSpec,
    NameSpec,
    NoneSpec,
    ObjectSpec,
    ScalarSpec,
    SpecError,
    StaticSpec,
    TupleSpec,
)

GOOD = [
    ("f32[3,4]", ArraySpec("f32", (3, 4))),
    ("f32[]", ArraySpec("f32", ())),
    ("bf16[ n , 4, ]", ArraySpec("bf16", ("n", 4))),
    ("bool[2]", ArraySpec("bool", (2,))),
    ("bool", ScalarSpec("bool")),
    ("float", ScalarSpec("float")),
    ("key", KeySpec()),
    ("key[n]", KeySpec(("n",))),
    ("none", NoneSpec()),
    ("static:3", StaticSpec("3")),
    ("static:-1.5", StaticSpec("-1.5")),
    ("static:'a b'", StaticSpec("'a b'")),
    ("static:(1, [2, {'a': ')'}])", StaticSpec("(1, [2, {'a': ')'}])")),
    ("static:None", StaticSpec("None")),
    ("()", TupleSpec(())),
    ("(key,)", TupleSpec((KeySpec(),))),
    ("[]", ListSpec(())),
    ("[f32[n], [static:[1]]]", ListSpec((ArraySpec("f32", ("n",)), ListSpec((StaticSpec("[1]"),))))),
    ("name:jax.nn:relu", NameSpec("jax.nn", "relu")),
    (
        'object:train.state:State{"w": f32[n], "mode": name:train:Mode.FAST}',
        ObjectSpec(
            "train.state",
            "State",
            DictSpec((("w", ArraySpec("f32", ("n",))), ("mode", NameSpec("train", "Mode.FAST")))),
        ),
    ),
    (
        "object:opt:make.<locals>.<lambda>{}",
        ObjectSpec("opt", "make.<locals>.<lambda>", DictSpec(())),
    ),
    ("(static:1, f32[2])", TupleSpec((StaticSpec("1"), ArraySpec("f32", (2,))))),
    (
        '{"w": f32[n], \'b\': {"c": none,}}',
        DictSpec((("w", ArraySpec("f32", ("n",))), ("b", DictSpec((("c", NoneSpec()),))))),
    ),
]

#: text, column of the mistake, what the message must say
BAD = [
    ("x", 2, "expected `=` after `x`"),
    ("3=f32[]", 1, "expected the name of a parameter"),
    ("x=", 3, "expected a value, such as `f32[3,4]`"),
    ("x= f32[]", 3, "expected a value"),
    ("x=3", 3, "write `static:3` for a Python constant"),
    ("x=-1.5", 3, "write `static:-1.5` for a Python constant"),
    ("x='a'", 3, "write `static:'a'` for a Python constant"),
    ("x=[f32[]", 3, "`[` is not closed"),
    ("x=object:State{}", 9, "expected `object:MODULE:NAME`"),
    ("x=object:m:State", 17, "expected the fields of `State`"),
    ("x=[3]", 4, "write `static:3` for a Python constant"),
    ("x=(,)", 4, "expected a value, got `,`"),
    ("x=f32", 6, "`f32[]` is a scalar array"),
    ("x=float32", 10, "`float32[]` is a scalar array"),
    ("x=float23[3]", 3, "did you mean `float32`?"),
    ("x=f23[3]", 3, "did you mean `f32`?"),
    ("x=flaot", 3, "did you mean `float`?"),
    ("x=None", 3, "did you mean `none`?"),
    ("x=True", 3, "did you mean `static:True`?"),
    ("x=str", 3, "did you mean `static:'text'`?"),
    ("x=quux", 3, "unknown value `quux`"),
    ("x=f32[3", 6, "`[` is not closed"),
    ("x=f32[3,4", 6, "`[` is not closed"),
    ("x=f32[-1]", 7, "a dimension is a number"),
    ("x=f32[3 4]", 9, "expected `,` or `]`, got `4`"),
    ("x=f32[9999999999999]", 7, "too large"),
    ("x=(key", 3, "`(` is not closed"),
    ("x={a: key}", 4, "expected a key in quotes"),
    ('x={"a" key}', 8, 'expected `:` after "a"'),
    ('x={"a": key, "a": none}', 14, "key 'a' is given twice"),
    ("x=static", 9, "expected `:` and a Python literal"),
    ("x=static:", 10, "expected a Python literal"),
    ("x=static:foo", 10, "did you mean `static:'foo'`?"),
    ("x=static:1+", 10, "is not a Python literal"),
    ("x=static:(1, 2", 15, "`)` is missing"),
    ("x=static:(1, 2]", 15, "`]` closes nothing"),
    ("x=static:'a", 10, "the string is not closed"),
    ("x=key x=none", 7, "`x` is given twice"),
    ("x=key,y=key", 6, "expected a space after the value of `x`, got `,`"),
    ("x=" + "(" * 60 + ")" * 60, 54, "nested more than 50 deep"),
]


@pytest.mark.parametrize(("text", "value"), GOOD, ids=[text for text, _ in GOOD])
def test_a_value_is_read(text: str, value: specs.Value) -> None:
    assert specs.parse_value(text) == value
    assert specs.parse_assignments(f"  y=key   x={text} ") == {"y": KeySpec(), "x": value}


@pytest.mark.parametrize(("text", "column", "message"), BAD, ids=[text[:20] for text, _, _ in BAD])
def test_a_mistake_has_its_place_and_its_mend(text: str, column: int, message: str) -> None:
    with pytest.raises(SpecError) as caught:
        specs.parse_assignments(text)
    assert message in caught.value.message
    assert caught.value.column == column
    with pytest.raises(SpecError) as caught:
        specs.parse_assignments(text, 20)
    assert caught.value.column == column + 19


def test_what_follows_a_value_is_a_mistake() -> None:
    with pytest.raises(SpecError, match="`key` is left over"):
        specs.parse_value("f32[3] key")


def test_named_dimensions_are_distinct_primes_that_nobody_wrote() -> None:
    values = specs.parse_assignments('x=f32[n,5] y={"a": (key[m], f32[n,7])} z=f32[k]')
    sizes = specs.dimension_sizes(values)
    assert sizes == {"n": 11, "m": 13, "k": 17}
    assert specs.as_json(values["x"], sizes) == {"kind": "array", "dtype": "float32", "shape": [11, 5]}


_texts = st.text(string.printable, max_size=6)
_names = st.text(string.ascii_letters + "_", min_size=1, max_size=8)
_dims = st.lists(st.one_of(st.integers(0, 10**6), _names), max_size=4).map(tuple)
_literals = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), _texts),
    lambda inner: st.one_of(st.lists(inner), st.dictionaries(_texts, inner), st.tuples(inner, inner)),
    max_leaves=6,
)
_leaves = st.one_of(
    st.builds(ArraySpec, st.sampled_from(sorted(specs.DTYPES)), _dims),
    st.builds(KeySpec, _dims),
    st.builds(ScalarSpec, st.sampled_from(("float", "int", "bool"))),
    st.builds(StaticSpec, _literals.map(repr)),
    st.just(NoneSpec()),
)
_values = st.recursive(
    _leaves,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda items: TupleSpec(tuple(items))),
        st.dictionaries(_texts, inner, max_size=3).map(lambda d: DictSpec(tuple(d.items()))),
    ),
    max_leaves=8,
)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=60)
@given(st.dictionaries(_names, _values, max_size=4))
def test_what_is_written_is_read_back(values: dict[str, specs.Value]) -> None:
    text = " ".join(f"{name}={specs.spec_text(value)}" for name, value in values.items())
    assert specs.parse_assignments(text) == values
    sizes = specs.dimension_sizes(values)
    assert len(set(sizes.values())) == len(sizes)


@settings(deadline=None)
@given(st.text("fki32 []{}():,\"'static=nx#\\", max_size=40))
def test_any_text_is_read_or_refused_with_a_column_inside_it(text: str) -> None:
    mistake = None
    try:
        specs.parse_assignments(text)
    except SpecError as error:
        mistake = error
    assert mistake is None or 1 <= mistake.column <= len(text) + 1
