import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { InvalidSignature, verifyWebhook } from '@heliograph/sdk';

interface Event {
  type: string;
  data: { id: string; status: string };
}

const server = createServer(async (request, response) => {
  try {
    const { type, data } = await verifyWebhook<Event>({
      // As it was received, not parsed and written again.
      body: await text(request),
      headers: request.headers,
      secret: process.env.HELIOGRAPH_WEBHOOK_SECRET!,
    });
    console.log('genuine', type, data.id, data.status);
    response.end();
  } catch (error) {
    if (!(error instanceof InvalidSignature)) throw error;
    console.log('refused', error.message);
    response.writeHead(400).end();
  }
});
server.listen(8000, () => console.log('listening on port 8000'));
