# Run against an installation with the packed package on PYTHONPATH.
import sys

from heliograph import ApiError, Heliograph, InvalidSignature, NoAnswer
from heliograph import confirm_phone, sign_webhook, verify_webhook

url, losing, token, secret = sys.argv[1:]
helio = Heliograph(url, lambda: token)

message = {
    "type": "sms",
    "recipient": "+79990000000",
    "payload": {"sender": "MIRTEA", "text": "Hello"},
}
# The answer is lost on its way.
sent = Heliograph(losing, token).sendings.create(message)
assert helio.sendings.get(sent["id"])["payload"]["text"] == "Hello"
statuses = ["pending", "processing", "sent", "delivered"]
page = helio.sendings.find({"recipient": "79990000000", "status": statuses})
assert [row["id"] for row in page["data"]] == [sent["id"]]

contacts = helio.contact_lists.create({"title": "Customers", "type": "regular"})
table = "phone,first name\n+79990000001,Anna\n+79990000002,Борис\n".encode()
file = helio.storage.create(('people "new".csv', table))
report = helio.contacts.import_({"ListId": contacts["id"], "from": {"key": file["key"]}})
assert report["total"] == 2, report
query = {"ListId": contacts["id"], "$limit": 1}
names = sorted(row["firstName"] for row in helio.each(helio.contacts.find, query))
assert names == ["Anna", "Борис"], names

try:
    helio.contact_lists.create({"title": "", "type": "regular"})
    raise AssertionError
except ApiError as refused:
    assert (refused.status, refused.code) == (422, "validation"), refused.body
    assert refused.docs and refused.docs.endswith("/documentation/api/errors/validation")
    assert refused.fields[0].field == "title"
    assert "title: " in str(refused) and "\nvalidation http" in str(refused)
    assert refused.request_id

unknown = confirm_phone(helio, "01930000-0000-7000-8000-0000000000a1", "+79990000000")
assert unknown == (False, "SessionNotFoundException"), unknown

try:
    Heliograph("http://127.0.0.1:9", attempts=1).contact_lists.find()
    raise AssertionError
except NoAnswer:
    pass

body = '{"text":"Чай"}'
headers = sign_webhook(body, secret, "msg_1")
assert verify_webhook(body.encode(), {k.title(): v for k, v in headers.items()}, secret) == {"text": "Чай"}
for given in ({}, {**headers, "webhook-timestamp": "1"}, {**headers, "webhook-id": "msg_2"}):
    try:
        verify_webhook(body, given, secret)
        raise AssertionError(given)
    except InvalidSignature:
        pass
print("done", headers["webhook-timestamp"], headers["webhook-signature"])
