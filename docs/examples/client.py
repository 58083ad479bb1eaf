# Python 3.9 or newer, no packages needed. Set TOKEN and run it.
import json, os, time, uuid
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

API = os.environ.get("API", "{{api}}")
TOKEN = os.environ["TOKEN"]
TEMPORARY = {429, 500, 502, 503, 504}


class ApiError(Exception):
    def __init__(self, status, body):
        super().__init__(f"{status} {body.get('code')}: {body.get('message') or body.get('error')}")
        self.status, self.code, self.body = status, body.get("code"), body


def call(method, path, body=None, data=None, headers={}, key=None, attempts=5):
    """Repeats temporary errors. The same key makes the repetition harmless."""
    if body is not None:
        data, headers = json.dumps(body).encode(), {"Content-Type": "application/json"}
    headers = {**headers, "Authorization": f"Bearer {TOKEN}", "Idempotency-Key": key or str(uuid.uuid4())}
    for attempt in range(1, attempts + 1):
        wait = 2 ** (attempt - 1)
        try:
            with urlopen(Request(API + path, data, headers, method=method), timeout=30) as answer:
                return json.load(answer)
        except HTTPError as error:
            if error.code not in TEMPORARY or attempt == attempts:
                raise ApiError(error.code, json.load(error)) from None
            wait = int(error.headers.get("Retry-After") or wait)
        except URLError:
            if attempt == attempts:
                raise
        time.sleep(wait)


# One message; the number of the order is a good key
message = call("POST", "/sendings", {
    "type": "sms",
    "recipient": "+79990000000",
    "payload": {"sender": "DEMO", "text": "Your code is 1234"},
}, key=f"order-{uuid.uuid4()}")
print("message", message["id"])

# Its status
print(call("GET", f"/sendings/{message['id']}")["state"]["status"])

# A contact list and a file with contacts
contacts = call("POST", "/contactLists", {"title": "Customers", "type": "regular"})
table = "phone,first name\n+79990000001,Anna\n+79990000002,Boris\n".encode()
file = call("POST", "/storage", data=table, headers={"Content-Type": "text/csv", "X-Filename": "contacts.csv"})
report = call("PUT", "/contacts", {"ListId": contacts["id"], "from": {"key": file["key"]}})
print("imported", report["total"])

# A bulk to the list
task = call("POST", "/sendings", {
    "type": "sms",
    "recipient": {"include": [contacts["id"]]},
    "payload": {"sender": "DEMO", "text": "Hello {firstName}"},
})
print("task", task["groupId"])

# The balance
me = call("GET", "/users/me")
print("balance", call("GET", f"/billings/balance/{me['id']}")["result"])

# An error names the refused fields
try:
    call("POST", "/sendings", {"type": "sms", "recipient": "+79990000000", "payload": {"sender": "DEMO"}})
except ApiError as error:
    print(error.code, [item["field"] for item in error.body.get("data", [])])
