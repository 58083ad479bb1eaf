import { escapeHtml } from '@heliograph/domain';
import type { SimulatedInstance } from './simulated-phone.ts';

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:30rem;margin:2rem auto;padding:0 1rem;color:#212529;background:#fff}' +
  'h1{font-size:1.5rem}h2{font-size:1.125rem}label{display:block;padding:6px 0}input[type=text]{font:inherit;display:block;width:100%;box-sizing:border-box;padding:.4rem;border:1px solid #868e96;border-radius:6px}' +
  'button{font:inherit;padding:.5rem 1rem;border-radius:6px;border:1px solid #1864ab;background:#1864ab;color:#fff;margin:.25rem .5rem .25rem 0}' +
  'p.note{color:#495057;font-size:.875rem}li{overflow-wrap:anywhere}';

const STATES: Record<SimulatedInstance['state'], string> = {
  notAuthorized: 'No device is linked.',
  authorized: 'The device is linked.',
  sleepMode: 'The phone sleeps: the link is interrupted.',
};

const field = (name: string, label: string, value = '') =>
  `<label>${label}<input type="text" name="${name}" value="${escapeHtml(value)}" required maxlength="1000"></label>`;
const button = (action: string, label: string) =>
  `<button name="action" value="${action}">${label}</button>`;
const form = (content: string) => `<form method="post">${content}</form>`;

/** The page of a simulated phone. It has no scripts. */
export function phonePage(of: SimulatedInstance, code: string, notice: string | null): string {
  const { state, phone, messages } = of;
  const scan =
    `<h2>Link a device</h2>` +
    form(
      field('code', 'Code', code) +
        field('phone', 'Phone number', '+79990000000') +
        `<label><input type="checkbox" name="isBeta" value="1"> Beta of linked devices</label>${button('scan', 'Scan the code')}`,
    );
  const use =
    `<p><strong>+${escapeHtml(phone ?? '')}</strong></p>` +
    form(
      (state === 'authorized' ? button('sleep', 'Sleep') : button('wake', 'Wake up')) +
        button('unlink', 'Unlink the device'),
    );
  const write =
    `<h2>Write to this phone</h2>` +
    form(
      field('from', 'From', '+79990000010') +
        field('text', 'Text', 'Hello') +
        button('write', 'Send'),
    );
  const list = messages.length
    ? `<h2>Messages</h2><ol>${messages
        .map(
          (m) =>
            `<li>${m.isIncoming ? 'from' : 'to'} +${escapeHtml(m.phone)}: ${escapeHtml(m.text)}</li>`,
        )
        .join('')}</ol>`
    : '';
  const body =
    `<h1>Simulated phone</h1><p role="status">${notice ? `${escapeHtml(notice)} ` : ''}${STATES[state]}</p>` +
    `<p class="note">This phone exists only here. No message leaves the installation.</p>` +
    (state === 'notAuthorized' ? scan : use) +
    (state === 'authorized' ? write : '') +
    list;
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">` +
    `<title>Simulated phone</title><style>${STYLE}</style></head><body><main>${body}</main></body></html>`
  );
}
