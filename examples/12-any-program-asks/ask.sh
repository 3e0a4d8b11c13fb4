#!/usr/bin/env bash
# Asks whether to deploy, waits for the answer, and ends with 0 for a yes and 1 for anything else. Needs curl and jq.
# HOLDPOINT_URL is the server, HOLDPOINT_KEY the program's key, ROLE who may answer, RUN what makes the question unique.
set -euo pipefail

# The key is not an argument of curl: every user of the machine can read those.
api() { curl -sS --fail-with-body --config <(printf 'header = "Authorization: Bearer %s"\n' "$HOLDPOINT_KEY") "$@"; }

body=$(jq -n --arg role "$ROLE" --arg run "$RUN" '{
  message: "Deploy \($run) to production?",
  confirm: {yes: "Deploy", no: "Do not deploy"},
  audience: {role: $role},
  lifetimeMs: (60 * 60 * 1000)
}')
# The same key finds the same question: the script may be started again.
question=$(api "$HOLDPOINT_URL/api/questions" -H "Idempotency-Key: deploy $RUN" --json "$body")
echo "Waiting for a $ROLE: $(jq -r .page <<<"$question")"

until jq -e '.status | IN("pending", "accepted") | not' <<<"$question" >/dev/null; do
  question=$(api --retry 5 --retry-all-errors "$HOLDPOINT_URL/api/questions/$(jq -r .id <<<"$question")?wait=30")
done

jq -r '"It is \(.status)\(if .said then ": " + .said else "" end), by \(.answeredBy.subject // "no one")."' <<<"$question"
jq -e '.said == "yes"' <<<"$question" >/dev/null
