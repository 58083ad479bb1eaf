// Compiled and run against an installation, as an ES module and as CommonJS, in a folder that has the packed package.
import { strict as assert } from 'node:assert';
import { ApiError, Heliograph, NoAnswer, confirmPhone, verifyWebhook } from '@heliograph/sdk';
import type { Body, Schema } from '@heliograph/sdk';

const [url, token, secret] = process.argv.slice(2) as [string, string, string];

async function main(): Promise<void> {
  let isLost = true;
  const helio = new Heliograph({
    url,
    token,
    // The answer to the first message is lost on its way.
    fetch: async (target, init) => {
      const response = await fetch(target, init);
      if (init?.method !== 'POST' || !String(target).endsWith('/sendings') || !isLost)
        return response;
      isLost = false;
      throw new TypeError('fetch failed');
    },
  });

  const message: Body<'sendings.create'> = {
    type: 'sms',
    recipient: '+79990000000',
    payload: { sender: 'MIRTEA', text: 'Hello' },
  };
  const sent = await helio.sendings.create(message);
  assert('recipient' in sent);
  const sending: Schema<'Sending'> = await helio.sendings.get(sent.id);
  assert.equal(sending.payload.text, 'Hello');
  const page = await helio.sendings.find({
    recipient: '79990000000',
    status: ['pending', 'processing', 'sent', 'delivered'],
  });
  assert.deepEqual(
    page.data.map(({ id }) => id),
    [sent.id],
  );

  const list = await helio.contactLists.create({ title: 'Customers', type: 'regular' });
  const file = await helio.storage.create(
    new File(['phone,first name\n+79990000001,Anna\n+79990000002,Boris\n'], 'people.csv'),
  );
  const report = await helio.contacts.import({ ListId: list.id, from: { key: file.key } });
  assert('total' in report);
  const names: (string | null)[] = [];
  for await (const contact of helio.each(helio.contacts.find, { ListId: list.id, $limit: 1 }))
    names.push(contact.firstName);
  assert.deepEqual(names.sort(), ['Anna', 'Boris']);

  const refused = await helio.contactLists
    .create({ title: '', type: 'regular' })
    .catch((error: unknown) => error);
  assert(refused instanceof ApiError);
  assert.equal(refused.code, 'validation');
  assert.match(refused.docs ?? '', /\/documentation\/api\/errors\/validation$/);
  assert.equal(refused.fields[0]?.field, 'title');
  assert.match(refused.requestId, /./);

  const unknown = await confirmPhone(helio, '01930000-0000-7000-8000-0000000000a1', '+79990000000');
  assert.deepEqual(unknown, { confirmed: false, reason: 'SessionNotFoundException' });

  const nobody = new Heliograph({ url: 'http://127.0.0.1:9', attempts: 1 });
  await assert.rejects(nobody.contactLists.find(), NoAnswer);

  const call = { body: '{}', headers: {}, secret };
  await assert.rejects(verifyWebhook(call), { name: 'InvalidSignature' });
  console.log('done');
}

void main();
