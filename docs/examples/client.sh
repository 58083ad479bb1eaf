#!/bin/sh
# Needs curl. export API={{api}} TOKEN=hg_… and run it.
set -eu
API=${API:-{{api}}}

# One call: method, path, further options of curl. Temporary errors are repeated: with the same key nothing is done twice.
# The response is in `answer`; the program ends with a refusal, which it prints.
call() {
  method=$1 path=$2
  shift 2
  key=$(date +%s)-$$-$(od -An -N8 -tx1 /dev/urandom | tr -d ' \n')
  answer=$(curl -sS --fail-with-body --retry 4 --retry-connrefused --max-time 30 \
    -X "$method" "$API$path" \
    -H "Authorization: Bearer $TOKEN" \
    -H "Idempotency-Key: $key" "$@") || { printf '%s\n' "$answer"; exit 1; }
}
json() { call "$1" "$2" -H 'Content-Type: application/json' --data "$3"; }
# The first value of a field. Real programs use a JSON parser, for example jq.
field() { printf '%s' "$answer" | tr ',{' '\n\n' | sed -n "s/^\"$1\":\"\([^\"]*\)\".*/\1/p" | head -n 1; }

# One message
json POST /sendings '{"type":"sms","recipient":"+79990000000","payload":{"sender":"DEMO","text":"Your code is 1234"}}'
id=$(field id)
echo "message $id"

# Its status
call GET "/sendings/$id"
field status

# A contact list and a file with contacts
json POST /contactLists '{"title":"Customers","type":"regular"}'
list=$(field id)
printf 'phone,first name\n+79990000001,Anna\n+79990000002,Boris\n' > contacts.csv
call POST /storage -F 'file=@contacts.csv'
file=$(field id)
json PUT /contacts "{\"ListId\":\"$list\",\"from\":{\"key\":\"$file\"}}"
printf '%s\n' "$answer"

# A bulk to the list
json POST /sendings "{\"type\":\"sms\",\"recipient\":{\"include\":[\"$list\"]},\"payload\":{\"sender\":\"DEMO\",\"text\":\"Hello {firstName}\"}}"
echo "task $(field groupId)"

# The balance
call GET /users/me
call GET "/billings/balance/$(field id)"
printf '%s\n' "$answer"

# An error names the refused fields
(json POST /sendings '{"type":"sms","recipient":"+79990000000","payload":{"sender":"DEMO"}}') || echo refused
