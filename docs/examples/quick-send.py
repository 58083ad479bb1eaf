import os
import time

from heliograph import Heliograph

helio = Heliograph(os.environ["HELIOGRAPH_URL"], os.environ["HELIOGRAPH_TOKEN"])

message = helio.sendings.create({
    "type": "sms",
    "recipient": "+79990000000",
    "payload": {"sender": "DEMO", "text": "Your order is ready"},
})
print(message["id"], message["status"])

while True:
    time.sleep(1)
    state = helio.sendings.get(message["id"])["state"]
    if state["outcome"] != "pending":
        print(message["id"], state["status"])
        break
