"""Declares a deployment over HTTP, reads the answer, and follows events from that position on.

Needs nothing but Python 3.9. Settings: DAVIT_URL, DAVIT_API_KEY, NAME.
"""

import json
import os
import time
import urllib.error
import urllib.request

BASE = os.environ.get("DAVIT_URL", "http://127.0.0.1:7600")
KEY = os.environ.get("DAVIT_API_KEY")
NAME = os.environ.get("NAME", "example")


def ask(path, body=None, headers=None, timeout=30):
    """Sends a request; an answer that is no success is raised with the words of its problem document."""
    sent = {"authorization": f"Bearer {KEY}"} if KEY else {}
    sent.update(headers or {})
    data = None
    if body is not None:
        data = json.dumps(body).encode()
        sent["content-type"] = "application/json"
    request = urllib.request.Request(BASE + path, data=data, headers=sent)
    try:
        return urllib.request.urlopen(request, timeout=timeout)
    except urllib.error.HTTPError as error:
        problem = json.load(error)
        raise SystemExit(f"{problem['code']}: {problem.get('detail', problem['title'])}") from error


def events(after):
    """Every event after a position, for ever; a broken connection is taken up where it broke."""
    while True:
        try:
            with ask("/v1/events/stream?category=intent,deployment", headers={"Last-Event-ID": str(after)}) as stream:
                fields = {}
                for line in (raw.decode().rstrip("\n") for raw in stream):
                    name, _, value = line.partition(": ")
                    if line:
                        fields[name] = value
                        continue
                    after = int(fields.get("id", after))
                    # Checkpoints only say how far a filtered stream has looked.
                    if fields.get("event", "").startswith("davit.") and fields["event"] != "davit.stream.checkpoint":
                        yield json.loads(fields["data"])
                    fields = {}
        except OSError:
            time.sleep(1)


specification = {
    "apiVersion": "davit.dev/v1",
    "kind": "Deployment",
    "metadata": {"name": NAME},
    "spec": {
        "model": {"id": "Qwen/Qwen3-8B"},
        "runtime": {"engine": "vllm"},
        "compute": {"mode": "elastic", "placements": [{"cloud": "runpod", "accelerator": "L40S:1"}]},
    },
}
# The same key and content give the same answer, however often it is sent.
with ask("/v1/intents/deployment/apply", specification, {"Idempotency-Key": f"example-{NAME}-1"}) as reply:
    answer = json.load(reply)
print(f"accepted revision {answer['revision']} at {answer['position']}", flush=True)

for event in events(answer["position"] - 1):
    print(f"{event['position']} {event['type']} {event['subject']}", flush=True)
