# pip install standardwebhooks
import os
from http.server import BaseHTTPRequestHandler, HTTPServer

from standardwebhooks import Webhook, WebhookVerificationError

webhook = Webhook(os.environ["WEBHOOK_SECRET"])


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        # The body as it was received, not parsed and written again.
        body = self.rfile.read(int(self.headers["content-length"])).decode()
        headers = {name.lower(): value for name, value in self.headers.items()}
        try:
            event = webhook.verify(body, headers)
            print(event["type"], event["data"]["id"])
            self.send_response(200)
        except WebhookVerificationError:
            self.send_response(400)
        self.end_headers()


HTTPServer(("", 8000), Handler).serve_forever()
