// npm install standardwebhooks
import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.WEBHOOK_SECRET);

createServer((request, response) => {
  let body = '';
  request.on('data', (part) => (body += part));
  request.on('end', () => {
    try {
      // The body as it was received, not parsed and written again.
      const { type, data } = webhook.verify(body, request.headers);
      console.log(type, data.id, data.status);
      response.end();
    } catch {
      response.writeHead(400).end();
    }
  });
}).listen(8000);
