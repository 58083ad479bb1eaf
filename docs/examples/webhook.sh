#!/bin/bash
# Verifies a stored call: ./webhook.sh ID TIMESTAMP SIGNATURE FILE_WITH_BODY
set -euo pipefail
key=$(printf %s "${WEBHOOK_SECRET#whsec_}" | base64 -d | od -An -v -tx1 | tr -d ' \n')
expected=v1,$( (printf '%s.%s.' "$1" "$2"; cat "$4") |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | base64)
# While a secret is being replaced there are two signatures.
for signature in $3; do
  if [ "$signature" = "$expected" ]; then
    echo genuine
    exit
  fi
done
echo forged
exit 1
