import os
from http.server import BaseHTTPRequestHandler, HTTPServer

from heliograph import InvalidSignature, verify_webhook


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        # As it was received, not parsed and written again.
        body = self.rfile.read(int(self.headers["content-length"]))
        try:
            event = verify_webhook(body, self.headers, os.environ["HELIOGRAPH_WEBHOOK_SECRET"])
            data = event["data"]
            print("genuine", event["type"], data["id"], data["status"], flush=True)
            self.send_response(200)
        except InvalidSignature as error:
            print("refused", error, flush=True)
            self.send_response(400)
        self.end_headers()

    def log_message(self, *_):
        pass


server = HTTPServer(("", 8000), Handler)
print("listening on port 8000", flush=True)
server.serve_forever()
