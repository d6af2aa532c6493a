#!/usr/bin/env bash
# Declares a deployment over NATS, prints the answer, and follows events from that position on.
#
# NATS speaks lines of text, so where the `nats` command that nats.sh needs is not to be had, bash is enough: this file needs nothing else.
# Settings: NATS_HOST, NATS_PORT, NATS_USER, NATS_PASSWORD, NAME.
set -euo pipefail
export LC_ALL=C # sizes are counted in bytes

name=${NAME:-example}
login=${NATS_USER:+,\"user\":\"$NATS_USER\",\"pass\":\"${NATS_PASSWORD:-}\"}
exec 3<>"/dev/tcp/${NATS_HOST:-127.0.0.1}/${NATS_PORT:-4222}"

say() { printf '%s\r\n' "$@" >&3; }
publish() { say "PUB $1 $2 ${#3}" "$3"; } # subject, where answers go, payload

# Puts the payload of the next message into $payload, and answers the server's question whether anybody is there.
next_message() {
  local line
  while IFS= read -r line <&3; do
    line=${line%$'\r'}
    case $line in
      PING) say PONG ;;
      -ERR*) echo "$line" >&2 && exit 1 ;;
      MSG*)
        IFS= read -r -N "${line##* }" payload <&3
        IFS= read -r line <&3
        return
        ;;
    esac
  done
  echo 'the server closed the connection' >&2
  exit 1
}

# The first member of a name in $payload.
member() { [[ $payload =~ \"$1\":\"?([^\",}]*) ]] && echo "${BASH_REMATCH[1]}"; }

inbox=_INBOX.example.$$.$RANDOM
say "CONNECT {\"verbose\":false,\"pedantic\":false,\"headers\":false$login}" "SUB $inbox.answer 1"
# The same key and content give the same answer, however often it is sent.
publish davit.intent.deployment.apply "$inbox.answer" "{
  \"idempotencyKey\": \"example-$name-1\",
  \"actor\": \"example@clients\",
  \"deployment\": {
    \"apiVersion\": \"davit.dev/v1\",
    \"kind\": \"Deployment\",
    \"metadata\": { \"name\": \"$name\" },
    \"spec\": {
      \"model\": { \"id\": \"Qwen/Qwen3-8B\" },
      \"runtime\": { \"engine\": \"vllm\" },
      \"compute\": { \"mode\": \"elastic\", \"placements\": [{ \"cloud\": \"runpod\", \"accelerator\": \"L40S:1\" }] }
    }
  }
}"
next_message
[[ $(member outcome) == accepted ]] || { echo "$payload" >&2 && exit 1; }
position=$(member position)
echo "accepted revision $(member revision) at $position"

# The sequence of a message in LOG is the position of its event, so any position is a place to begin.
say "SUB $inbox.events 2" "SUB $inbox.made 3"
publish "\$JS.API.CONSUMER.CREATE.LOG" "$inbox.made" "{\"stream_name\":\"LOG\",\"config\":{
  \"deliver_subject\":\"$inbox.events\",\"deliver_policy\":\"by_start_sequence\",\"opt_start_seq\":$position,
  \"ack_policy\":\"none\",\"filter_subjects\":[\"davit.log.intent.>\",\"davit.log.deployment.>\"]}}"
while next_message; do
  [[ $payload == *'"specversion"'* ]] || continue # that the consumer was made
  echo "$(member position) $(member type) $(member subject)"
done
