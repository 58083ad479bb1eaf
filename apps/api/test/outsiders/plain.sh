#!/bin/sh
# A program of a system administrator: curl, grep and openssl. RECEIVER answers what it was last called with.
set -eu
auth="Authorization: Bearer $TOKEN"

curl -sSf "$API/webhooks" -H "$auth" -H 'Content-Type: application/json' \
  -d "{\"title\":\"Plain\",\"event\":\"sendings.status\",\"url\":\"$RECEIVER/hook\",\"statuses\":[\"delivered\"]}" > webhook.json
secret=$(grep -o '"secret":"[^"]*"' webhook.json | cut -d'"' -f4)

curl -sSf "$API/sendings" -H "$auth" -H 'Content-Type: application/json' \
  -d '{"type":"sms","recipient":"+7 999 000-00-00","payload":{"sender":"DEMO","text":"Ваш заказ готов"}}' > sent.json
id=$(grep -o '"id":"[^"]*"' sent.json | head -n 1 | cut -d'"' -f4)

tries=0
until curl -sSf "$API/sendings/$id" -H "$auth" | grep -q '"status":"delivered"'; do
  tries=$((tries + 1))
  [ "$tries" -lt 150 ]
  sleep 0.4
done

tries=0
until curl -sSf "$RECEIVER/last" > body.json; do
  tries=$((tries + 1))
  [ "$tries" -lt 150 ]
  sleep 0.4
done
curl -sSf "$RECEIVER/headers" > headers.txt
header() { grep "^$1: " headers.txt | cut -d' ' -f2-; }
key=$(printf '%s' "${secret#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \n')
own=$({ printf '%s.%s.' "$(header webhook-id)" "$(header webhook-timestamp)"; cat body.json; } |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | openssl base64 -A)
case " $(header webhook-signature) " in
  *" v1,$own "*) echo "genuine $id" ;;
  *) echo "forged $id" ;;
esac
