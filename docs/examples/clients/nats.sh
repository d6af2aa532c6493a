#!/usr/bin/env bash
# The same with the `nats` command of https://github.com/nats-io/natscli: asks what capacity is known, declares a deployment, follows
# events from the position of the answer on until its route is published, reads the route, and deletes the deployment.
#
# Settings: those of the command (NATS_URL, NATS_USER, NATS_PASSWORD), NAME.
set -euo pipefail

name=${NAME:-example}

# The first member of a name in a line of JSON.
member() { [[ $2 =~ \"$1\":\"?([^\",}]*) ]] && echo "${BASH_REMATCH[1]}"; }
# A request, and the text of its answer alone. Nothing in braces is a template of the command.
ask() { nats request --raw --no-templates --timeout 10s "$1" "$2" 2>/dev/null; }

signals=$(ask davit.rpc.capacity-advisor.assess '{ "placements": [{
  "cloud": "runpod", "region": null, "accelerator": { "name": "L40S", "count": 1 }, "spot": false, "maxHourlyPrice": null
}] }')
echo "capacity is $(member state "$signals")"

# The same key and content give the same answer, however often it is sent.
answer=$(ask davit.intent.deployment.apply "{
  \"idempotencyKey\": \"example-$name-1\",
  \"actor\": \"example@clients\",
  \"deployment\": {
    \"apiVersion\": \"davit.dev/v1\",
    \"kind\": \"Deployment\",
    \"metadata\": { \"name\": \"$name\" },
    \"spec\": {
      \"model\": { \"id\": \"Qwen/Qwen3-8B\", \"servedName\": \"$name\" },
      \"runtime\": { \"engine\": \"vllm\" },
      \"compute\": { \"mode\": \"elastic\", \"placements\": [{ \"cloud\": \"runpod\", \"accelerator\": \"L40S:1\" }] },
      \"scaling\": { \"replicas\": 1 }
    }
  }
}")
[[ $(member outcome "$answer") == accepted ]] || { echo "$answer" >&2 && exit 1; }
position=$(member position "$answer")
echo "accepted revision $(member revision "$answer") at $position"

# The sequence of a message in LOG is the position of its event, so any position is a place to begin.
exec 3< <(exec nats subscribe --raw --stream LOG --start-sequence "$position" 'davit.log.>' 2>/dev/null)
follower=$!
trap 'kill $follower 2>/dev/null || true' EXIT
while IFS= read -r event <&3; do
  [[ $(member subject "$event") == "default/$name" ]] || continue
  echo "$(member position "$event") $(member type "$event")"
  [[ $(member type "$event") != davit.route.snapshot-published ]] || break
done

[[ -n $event ]] || { echo 'the subscription ended' >&2 && exit 1; }

# The present snapshot of the route, a moment after the event; its key is the alias with a dot for the slash.
for _ in {1..50}; do
  route=$(nats kv get --raw routes "default.$name" 2>/dev/null) && break || sleep 0.2
done
[[ -n ${route:-} ]] || { nats kv get --raw routes "default.$name"; exit 1; }
echo "route leads to $(member url "$route")"

answer=$(ask davit.intent.deployment.delete "{ \"name\": \"$name\" }")
echo "deletion is $(member outcome "$answer")"
