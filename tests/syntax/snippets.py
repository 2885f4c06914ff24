"""Statements with every kind of syntax, and every place where a bracket, a comma or white space may stand."""

from __future__ import annotations

#: Statements of one line.
LINES = r"""
del (a, b)
del a, b
del a,
del (a, b),
del (a)
del ((a, b), c)
del (a, b), c
del ((a, b))
del (a), b
del [a, b]
del (a[0], b.c,)
del ()
x[a, b]
x[(a, b)]
x[a,]
x[(a,)]
x[(a, b),]
x[((a,b),)]
x[(a), b]
x[a: b ]
x[a : ]
x[ : ]
x[::]
x[: :c ]
x[ a:b:c , d]
x[*a]
x[*a, b]
x[()]
x[ (  ) ]
x[a := 1]
x[lambda: (a, b)]
f(x for x in y)
f((x for x in y))
f( x for x in (y) )
g((a, b, ))
((a, b), c)
((a), (b))
(a), (b)
(a),
(((a, b)))
()
( )
(yield)
f(a=1, *b)
f(a=1, *b, c=2, *d, **e)
f(* a, ** b)
f(a, *b, c)
f(*(a, b))
f(*(yield))
class A(B, * C, metaclass = M, ** k): pass
class A: pass
class A(): x: int = 1; y: int
async def f(a, b: int = 1, /, c: "x" = (2), *d: e, f, g: h = 3, ** i : j) -> (k): pass
def f(*, a): pass
def f(a, /): return (a)
with (a): pass
with (a, b): pass
with (a, b) as c: pass
with (a), (b): pass
with (a as b, c as (d),) : pass
with (a as b) : pass
with (a), b as (c) : pass
with a as b.c, d as e[0] : pass
with (yield): pass
with (a, b), c: pass
with (a).b: pass
with (a).b as c, d: pass
if (a, b) : pass
if ((a, b)) : pass
if (a := b) : pass
for a, in b, : pass
for a, *b in *c, d : pass
for [a, b] in x: break
for x in y: continue
raise
raise (a)
raise a from (b)
raise (a) from b ; x
assert (a), (b) ; y
assert a
global a, b
nonlocal a
global a ; b
import a
import a.b as c, d ; e
from . import a
from .. a import (b, c as d, ) ; e
from a import *
from a import b as c # d
return
return ; x
return (a, b)
return a, b
return a, ;
return *a, b
x = y = (z)
x, y = z,
(x, y) = z ; w
(x), y = z
[x, *y] = z
*x, = y
x: int
x: (int) = (3)
x.y: int = a, b
x[0] += (a)
x += a, b
x = yield
x = yield a, b
x = yield (a)
x = yield from (a)
a if (b) else (c)
(a if b else c)
(a) if b else c
not (a)
- (a) ** - (b)
( a + b ) * ( c )
(a) + (b)
((a) + (b))
a < (b) < c
a not  in (b)
a is  not b
(a and b) and c
a and b and (c and d)
a or b and c or d
(a or b) or (c)
a and (b) and c
(a) and b
(a) .  b
(a) . b . c ( d ) [ e ]
(a)[b](c)
"a" "b"
b"a" b'b'
"a" f"b{c}"
f"a" "b"
f""
f"{a}" f"{b!r:>{c}}"
f"{a=}"
f"{ a = }"
f"{ (a, b) }"
f"{a:{b}{c}d}"
f"{{}}{a}"
f"{lambda_}"
f"{x["a"]}" "b"
f"{x["a"]} {y['b']} {"c"}" ; z
f"{f"{x}"}"
f"{x:{"a"}}" + "b"
f"{x["a#b"]}" + "b" # c
f"{x["a'b"]}" + 'c' ; d = "'"
f"{(lambda x: (x, 1))}"
f"{x:%H:%M}"
f'{x["a"]}' "z" rf"\d{y}"
if f"{a}" : pass
for x in f"{a}" : pass
u"a"
r"\a"
"\d"
...
None, True, False
1, 1.5, 1j, 0x1F, 1_000, 1e5, .5
{}
{ }
{a: b, ** c, (d): (e)}
{a, b}
{*a, b}
[*a, b]
[ ]
[a for a in (b) if (c) for d in e]
{a for a in b}
{a: (b) for a, b in c if d}
[(a, b) for a in b]
(a for a in b)
( a for a in b )
((a for a in b))
lambda: 1
lambda: (a, b)
lambda: ( a , b )
lambda: (a for a in b)
lambda a, b=(1), /, c=2, *d, e, f=3, **g: (yield)
lambda *, a: a
(lambda a: a)(b)
lambda : f"{a}"
lambda : (lambda : (a, b))
(x := (y))
(x := y, z)
[x := 1]
f(x := 1)
await_ = 1
print(*args, sep="")
x = a if b else lambda: c
a; b; c
a ;
if a: b; c ;
if a: return ;
pass
if a: pass
match = case = 1
é = "ü"; x = é + "日本" ; y = [é, x]
ﬁ = 1; f(ﬁ=ﬁ, a=ﬁ)
def ﬁ(ﬁ: ﬁ = 1, é=2, *ñ, **ö: ﬁ): pass
class ﬁé(é): "日本"
f"é{é}日{ﬁ!r:é{é}}" "é"
with (é as ﬁ): pass
global é, ﬁ
type X = int
type X[T] = (int)
def f[T: int](a: T): pass
class A[T]( B ): pass
def f [*Ts, **P] (): pass
def f(*args: *Ts): pass
x = a[b][c](d)(e).f
x = a if b else(c)
x = (a)if(b)else(c)
x = not(a)
if(a):pass
while(a):pass
for(a)in(b):pass
assert(a)
return(a)
raise(a)
with(a):pass
del(a)
except_ = 1
x = yield(a)
x = 1if a else 2
t"a{b}"
""".strip().split("\n")

#: Statements of several lines, with an empty line between them.
BLOCKS = r'''
f(
  x for x in (y)  # )
)

f( # ((
  (x) for x in y if (a) if (b # :)
  ))

g((a, b, # :)
))

g(( # a
  a, (b) # :)
  , # foo,
))

( # c
)

class   A \
  (B): pass

def \
   f(): pass

@ (d)
@d.e(1)
async  def f(): await (x); return await x

async def f():
    async with (a) as (b), c: pass
    async for x in (a), (b): pass
    return [x async for x in y]

with (
   a as b, # foo
   c, # bar)
 ): pass

if (a): pass
elif ( (b) ) : pass
elif c: pass
else: pass

if a: pass
else:
    if b: pass

if (a
    # c )
    ) : pass

if a \
  : pass

while (a) : pass
else : pass

for (a, b) in (c) : pass
else: pass

for x in (
   y # z:)
   ) : pass

try : pass
except : pass

try: pass
except (A) as e : pass
except (A, B) : pass
except ( (A, B) ) as e2 : pass
except A.b as e : pass
except A \
   as \
   b : pass
except B: pass
else : pass
finally : pass

try: pass
except* (A) as e : pass
except *(A, B): pass

try: pass
finally: pass

from a import (
  b, # c )
  )

("a"
 "b")

f"{
    x # foo
    }"

match x:
    case 1:
        y = (f"a{b}"
             f"c{d}")

(f"a{b}"
   f"c{d}")

g(f"""a
  {b}
c""", d)

@f(f"a{b}"
   f"c{d}")
def f(x=f"{a}"
     f"{b}"): pass

x = (
   a
   # foo (
   + b
   )

x = [
  (a, b), # )
  (c, # (
   d) # )
]

match (a) :
    case 1: pass
    case -1 : pass
    case 1 + 2j: pass
    case "a" "b": pass
    case None | True: pass
    case (None) : pass
    case _: pass
    case x if (x) : pass
    case [a, b, *_] : pass
    case [a, b, * rest] : pass
    case (a, b) : pass
    case (1) : pass
    case ((-1)) : pass
    case (A.b) : pass
    case ("a" "b") : pass
    case [(a), (1), (None), (A()), ([a])] : pass
    case (a), (b) : pass
    case (a), : pass
    case (A(x=(None))) : pass
    case (1) | (None) | ([a]) if (a, b) : pass
    case (1 as a) | b: pass
    case _ as b: pass
    case (_): pass
    case a, b : pass
    case a, : pass
    case ( (a) ) : pass
    case (a, ) : pass
    case ( ) : pass
    case [ ]: pass
    case (1 | 2) as x : pass
    case ((1 | 2) as x) : pass
    case [(1 | 2)] : pass
    case {"a": 1, b.c: (x), ** rest } : pass
    case {** rest } : pass
    case {"a": (x), # )
            ** rest, } : pass
    case {} : pass
    case { "case": case } : pass
    case A(): pass
    case a.B( x , y = (z) , ) : pass
    case A.b : pass
    case * a, b: pass
    case (
       # case
       a, b) : pass
    case f.x: pass

match a, b :
    case a, b: pass

match a, :
    case * a, : pass

match (a, b) :
    case _: pass

match * a, b :
    case _ : pass

try: pass
except É as ﬁ : pass

(f"é{é}"
    f"日{é} {x}")

match é:
    case {"é": ﬁ, **ﬁé}: pass
    case É(ﬁ=ﬁ) : pass
'''.strip().split("\n\n")
