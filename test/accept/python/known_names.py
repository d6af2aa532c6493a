"""Hooks of Schemathesis: requests speak of what is there, lead to nobody but this machine, and streams are let go.

DAVIT_FUZZ_NAMES is a file that says what is there: {"paths": {path: [parameters, …]}, "query": {name: [value, …]},
"bodies": {path: [members, …]}, "made": [name, …], "receiver": url}. DAVIT_FUZZ_ANSWERS is where it is written what was answered:
{"counts": {operation: {status: count}}, "slowestMs": {operation: milliseconds}}. DAVIT_FUZZ_BOUNDS is about how many of the requests at
the bounds of its schema each operation is asked; empty for all.
"""

import atexit
import collections
import json
import os
import random
import re
import select

import schemathesis

with open(os.environ["DAVIT_FUZZ_NAMES"], encoding="utf-8") as file:
    KNOWN = json.load(file)
STREAM = "/v1/events/stream"
STREAM_BYTES = 65_536
STREAM_SILENCE_S = 0.3

BOUNDS = int(os.environ.get("DAVIT_FUZZ_BOUNDS") or 0)

counts = collections.defaultdict(collections.Counter)
slowest_ms = collections.Counter()
bounds_made = collections.Counter()


def operation_of(case):
    return f"{case.operation.method.upper()} {case.operation.path}"


@schemathesis.hook
def filter_case(ctx, case):
    """Of the requests at the bounds of a schema, whose number nobody knows before, the first ones are asked, and of later ones ever fewer."""
    if not BOUNDS or case.meta is None or case.meta.phase.name.value != "coverage":
        return True
    operation = operation_of(case)
    bounds_made[operation] += 1
    made = bounds_made[operation]
    half = BOUNDS // 2
    return made <= half or random.Random(f"{operation} {made}").random() < half / (made - half)


@schemathesis.check
def no_fault_of_the_server(ctx, response, case):
    """A server that has too much to do may say so, and when to come back; every other status from 500 on is a fault."""
    if response.status_code < 500:
        return
    turned_away = response.status_code == 503 and json.loads(response.text or "{}").get("code") in ("overloaded", "busy")
    if not (turned_away and "retry-after" in response.headers):
        raise AssertionError(f"[{response.status_code}] {response.text[:1000]}")


@schemathesis.hook
def before_call(ctx, case, kwargs):
    """Three of four paths and bodies name a thing that is there, and half of the filters do; the rest stays as it was made."""
    path = case.operation.path
    # The same case gets the same names, so that a failure can be had again.
    draw = random.Random(repr((path, case.path_parameters, case.query, case.body)))
    if path in KNOWN["paths"] and case.path_parameters and draw.random() < 0.75:
        case.path_parameters.update(draw.choice(KNOWN["paths"][path]))
    for name in sorted(set(case.query or {}) & set(KNOWN["query"])):
        if draw.random() < 0.5:
            case.query[name] = draw.choice(KNOWN["query"][name])
    if case.method.upper() == "POST" and case.headers and draw.random() < 0.75:
        # Of conditions that exclude each other all of it would be refused, and of one key for other content than before.
        for name in [name for name in case.headers if name.lower() in ("if-match", "if-none-match", "idempotency-key")]:
            case.headers.pop(name)
    if isinstance(case.body, dict) and path in KNOWN["bodies"] and draw.random() < 0.75:
        case.body.update(draw.choice(KNOWN["bodies"][path]))
    case.body = at_home(case.body)
    few_are_made(case.body, draw)
    if path == STREAM:
        kwargs["stream"] = True
        kwargs["hooks"] = {"response": read_a_little}


@schemathesis.hook
def after_call(ctx, case, response):
    operation = operation_of(case)
    counts[operation][response.status_code] += 1
    slowest_ms[operation] = max(slowest_ms[operation], response.elapsed * 1000)


def few_are_made(body, draw):
    """Deployments that are declared are few, however many requests declare one: what a fleet costs is not the question here."""
    manifest = body.get("deployment", body) if isinstance(body, dict) else None
    metadata = manifest.get("metadata") if isinstance(manifest, dict) else None
    if isinstance(metadata, dict) and re.fullmatch("[a-z]([a-z0-9-]*[a-z0-9])?", str(metadata.get("name"))):
        metadata["name"] = draw.choice(KNOWN["made"])


def at_home(value):
    """Davit asks the addresses that it is given, so every one of them is the receiver's."""
    if isinstance(value, dict):
        return {key: at_home(member) for key, member in value.items()}
    if isinstance(value, list):
        return [at_home(member) for member in value]
    return KNOWN["receiver"] if isinstance(value, str) and value.strip().lower().startswith("http") else value


def read_a_little(response, *args, **kwargs):
    """A stream does not end: its first words, and what comes at once after them, are its answer."""
    if not response.headers.get("content-type", "").startswith("text/event-stream"):
        return
    stream = response.raw
    read = stream.read1(STREAM_BYTES)
    while len(read) < STREAM_BYTES and select.select([stream.fileno()], [], [], STREAM_SILENCE_S)[0]:
        if not (more := stream.read1(STREAM_BYTES)):
            break
        read += more
    response._content, response._content_consumed = read, True
    stream.close()


@atexit.register
def write_answers():
    with open(os.environ["DAVIT_FUZZ_ANSWERS"], "w", encoding="utf-8") as file:
        json.dump({"counts": counts, "slowestMs": slowest_ms}, file)
