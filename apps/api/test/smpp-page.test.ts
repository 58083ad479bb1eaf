import {
  PduFramer,
  STATUS,
  decodePdu,
  formatReceipt,
  receiptOf,
  textOf,
  contentOf,
} from '@heliograph/smpp';
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { ERROR_NUMBERS } from '../src/features/smpp/receipts.ts';

const page = (locale: string) =>
  readFile(new URL(`../../../docs/${locale}/api/SMPP.md`, import.meta.url), 'utf8');

/** The PDUs of the exchange, which are written as digits in groups. */
function exchange(text: string) {
  const block = /```text\n(bind_transceiver[\s\S]*?)```/.exec(text)![1]!;
  const digits = block.split('\n').filter((line) => /^[\dA-F ]+$/.test(line));
  const framer = new PduFramer();
  const octets = Buffer.from(digits.join('').replaceAll(' ', ''), 'hex');
  return [...framer.push(octets)].map((pdu) => decodePdu(pdu, true).pdu!);
}

describe.each(['en', 'ru', 'es'])('the page on SMPP (%s)', (locale) => {
  test('has an exchange that is as the server answers', async () => {
    const [bind, bound, submit, answer, deliver, acknowledged] = exchange(await page(locale));
    expect(bind).toMatchObject({ command: 'bind_transceiver', systemId: 'hg_k7m2p9qw4xtd' });
    expect(bound).toMatchObject({ command: 'bind_transceiver_resp', systemId: 'heliograph' });
    expect(textOf(contentOf(submit as never, 'gsm'))).toBe('Привет!');
    const { messageId } = answer as { messageId: string };
    const at = new Date('2026-11-26T17:04:00Z');
    const facts = { messageId, error: 0, submittedAt: at, doneAt: at };
    expect(deliver).toMatchObject(formatReceipt({ ...facts, state: 'delivered' }));
    expect(receiptOf(deliver as never, { alphabet: 'gsm', utcOffset: 0 }, at)).toMatchObject({
      messageId,
      state: 'delivered',
      at,
    });
    expect(acknowledged).toMatchObject({ command: 'deliver_sm_resp', status: 0 });
  });

  test('names statuses with their numbers, and all codes of errors', async () => {
    const text = await page(locale);
    const named = [...text.matchAll(/`0x([\dA-F]{2})` `(ESME_\w+)`/g)];
    expect(named.length).toBeGreaterThan(25);
    for (const [, number, name] of named)
      expect([name, STATUS[name as keyof typeof STATUS]]).toEqual([name, parseInt(number!, 16)]);
    const errors = [...text.matchAll(/^\| (\d{3}) \| `(\w+)` \|$/gm)];
    expect(Object.fromEntries(errors.map(([, n, code]) => [code, Number(n)]))).toEqual(
      ERROR_NUMBERS,
    );
  });
});
