import { escapeHtml } from '@heliograph/domain';
import { SANDBOX_CARDS, type SandboxPayment } from './sandbox-payment.ts';

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:30rem;margin:2rem auto;padding:0 1rem;color:#212529;background:#fff}' +
  'h1{font-size:1.5rem}fieldset{border:1px solid #868e96;border-radius:8px;margin:1rem 0}label{display:block;padding:6px 0;min-height:24px}' +
  'button,.a{font:inherit;display:inline-block;padding:.5rem 1rem;border-radius:6px;border:1px solid #1864ab;margin:0 .5rem .5rem 0;text-decoration:none}' +
  'button{background:#1864ab;color:#fff}.a{color:#1864ab}p.note{color:#495057;font-size:.875rem}';

const layout = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">` +
  `<title>${title}</title><link rel="icon" href="data:,"><style>${STYLE}</style></head><body><main><h1>${title}</h1>${body}</main></body></html>`;

const spaced = (card: string) => card.replace(/(.{4})(?=.)/g, '$1 ');

/** The payment page. It has no scripts. */
export function sandboxPage(payment: SandboxPayment): string {
  const amount = `${payment.amount} ${payment.currency}`;
  // A shop may name the sum itself.
  const words = payment.description.replace(`: ${amount}`, '');
  const sum = `<p>${escapeHtml(words)}: <strong>${escapeHtml(amount)}</strong></p>`;
  const back = `<a class="a" href="${escapeHtml(payment.failUrl)}">Return without paying</a>`;
  if (payment.status === 'challenge')
    return layout(
      '3-D Secure',
      `${sum}<form method="post"><p>The bank asks you to confirm the payment.</p><button name="answer" value="confirm">Confirm</button>` +
        `<button name="answer" value="refuse">Refuse</button></form>${back}`,
    );
  if (payment.status !== 'pending' || payment.paidAt !== null) {
    const state =
      payment.status === 'declined' ? 'The payment was declined.' : 'The payment was accepted.';
    return layout(
      'Payment',
      `${sum}<p>${state}</p><a class="a" href="${escapeHtml(payment.successUrl)}">Return</a>`,
    );
  }
  const cards = Object.entries(SANDBOX_CARDS).map(
    ([number, does], i) =>
      `<label><input type="radio" name="card" value="${number}"${i ? '' : ' checked'}> ${spaced(number)}: ${does}</label>`,
  );
  return layout(
    'Sandbox payment',
    `${sum}<p class="note">No money is moved. Choose a test card.</p>` +
      `<form method="post"><fieldset><legend>Card</legend>${cards.join('')}</fieldset><button>Pay</button></form>${back}`,
  );
}
