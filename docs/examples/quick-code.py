import os
import sys

from heliograph import ApiError, Heliograph, confirm_phone

helio = Heliograph(os.environ["HELIOGRAPH_URL"], os.environ["HELIOGRAPH_TOKEN"])
phone = "+79990000000"

session = helio.otp_handler.create({
    "widgetId": os.environ["HELIOGRAPH_WIDGET"],
    "recipient": phone,
})
print("a code was sent to", phone, flush=True)

for line in sys.stdin:
    try:
        helio.otp_handler.check_code(session["requestId"], {"code": line.strip()})
        break
    except ApiError as error:
        print(error.code, error.docs, flush=True)
        if error.code != "InvalidCodeException":
            break

print(confirm_phone(helio, session["requestId"], phone))
