import { SECRET_MARK, type OutgoingMessage } from '../channel.ts';
import { shownMessage } from '../exchanges.ts';
import { HEADER, type MappingOptions } from './options.ts';
import { type Lookup, messageLookup, render, renderText } from './templates.ts';

export interface VendorRequest {
  method: 'POST' | 'GET' | 'PUT';
  url: string;
  headers: Record<string, string>;
  body?: string;
}

/** The request that submits a batch. */
export function requestOf(options: MappingOptions, batch: OutgoingMessage[]): VendorRequest {
  const { method, format } = options;
  const account = accountLookup(options);
  const messages = batch.map(messageLookup);
  const single = messages.length === 1 ? messages[0] : undefined;
  const whole = (name: string) => account(name) ?? single?.(name);
  const fields = render(options.request, whole, messages) as Record<string, unknown>;
  const headers = headersOf(options.headers, account);
  if (format === 'json') {
    const body = JSON.stringify(fields);
    return {
      method,
      url: options.url,
      headers: { 'content-type': 'application/json', ...headers },
      body,
    };
  }
  const pairs = Object.entries(fields).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one) => [name, String(one)]),
  );
  const encoded = new URLSearchParams(pairs).toString();
  if (format === 'query') {
    const url = new URL(options.url);
    return { method, url: `${options.url}${url.search ? '&' : '?'}${encoded}`, headers };
  }
  const type = 'application/x-www-form-urlencoded';
  return { method, url: options.url, headers: { 'content-type': type, ...headers }, body: encoded };
}

/** The request without secrets, texts and numbers: what is secret never gets into it. */
export function shownRequest(options: MappingOptions, batch: OutgoingMessage[]): string {
  const hidden = (value: string | undefined) => value && SECRET_MARK;
  const { username, password, token, callbackSecret } = options;
  const shown = {
    ...options,
    username: hidden(username),
    password: hidden(password),
    token: hidden(token),
    callbackSecret: hidden(callbackSecret),
  };
  try {
    const { method, url, headers, body } = requestOf(shown, batch.map(shownMessage));
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    return [`${method} ${url}`, ...lines, ...(body === undefined ? [] : ['', body])].join('\n');
  } catch {
    // Some template needs a number that is one.
    return `${options.method} ${options.url}`;
  }
}

function headersOf(lines: string, account: Lookup): Record<string, string> {
  const headers: Record<string, string> = { accept: '*/*' };
  for (const line of lines.split('\n')) {
    const [, name, value] = HEADER.exec(line) ?? [];
    if (name) headers[name.toLowerCase()] = String(renderText(value!.trim(), account) ?? '');
  }
  return headers;
}

function accountLookup(options: MappingOptions): Lookup {
  const { username, password, token, callback, callbackUrl, callbackSecret } = options;
  return (name) => {
    switch (name) {
      case 'username':
        return username;
      case 'password':
        return password;
      case 'token':
        return token;
      case 'basic':
        return Buffer.from(`${username ?? ''}:${password ?? ''}`).toString('base64');
      case 'callback': {
        if (!callbackUrl || callback?.proof.kind !== 'query') return callbackUrl;
        const separator = callbackUrl.includes('?') ? '&' : '?';
        const pair = new URLSearchParams([[callback.proof.name, callbackSecret!]]);
        return `${callbackUrl}${separator}${pair.toString()}`;
      }
      default:
        return undefined;
    }
  };
}
