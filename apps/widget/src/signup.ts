import { solve } from './proof-of-work.ts';
import type { Challenge } from './wire.ts';

/** Of hosted sign-up forms: solves the challenge that `data-challenge` names, puts it into the form and sends that. */
async function send(script: HTMLScriptElement): Promise<void> {
  const form = script.closest('form')!;
  const answer = await fetch(script.dataset.challenge!);
  if (!answer.ok) throw new Error(`No challenge: ${answer.status}`);
  const challenge = (await answer.json()) as Challenge;
  const captcha = await solve(challenge, new AbortController().signal);
  form.querySelector<HTMLInputElement>('input[name=captcha]')!.value = captcha;
  form.requestSubmit();
}

// Without an answer the form can be sent again by its button, and comes back with another challenge.
if (document.currentScript instanceof HTMLScriptElement)
  send(document.currentScript).catch((error: unknown) => console.error(error));
