import { fetchService } from '../../core/http/service-client.ts';
import type { TinkoffSettings } from '../acquirer.ts';
import { tokenOf } from './token.ts';

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 256 * 1024;
/**
 * Source: "Error codes" of T-Bank's internet acquiring. Errors of the bank itself (3, 401, 1096, 9999), of services behind it (21, 96, 97, 98),
 * "try again later" (402, 999, 9001) and "unknown status" (1018) say nothing of the outcome.
 */
const UNCERTAIN_CODES = new Set('3 21 96 97 98 401 402 999 1018 1096 9001 9999'.split(' '));

export interface Answer extends Record<string, unknown> {
  Success: boolean;
  ErrorCode: string;
}

export type Call = (method: string, values: Record<string, unknown>) => Promise<Answer>;

/** Calls a method. Throws if the outcome is unknown; a refusal is an answer without `Success`. */
export function tinkoffApi({ url, terminalKey, password }: TinkoffSettings) {
  const post = async (method: string, values: Record<string, unknown>): Promise<unknown> => {
    const body: Record<string, unknown> = { TerminalKey: terminalKey, ...values };
    const { status, bytes } = await fetchService(`${url}/${method}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, Token: tokenOf(body, password) }),
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
    });
    if (status !== 200) throw new Error(`T-Bank answered ${status} to ${method}`);
    return JSON.parse(bytes.toString('utf8')) as unknown;
  };
  const call: Call = async (method, values) => {
    const answer = (await post(method, values)) as Answer | null;
    if (typeof answer?.Success !== 'boolean') throw new Error(`T-Bank: unreadable ${method}`);
    const code = String(answer.ErrorCode);
    if (!answer.Success && UNCERTAIN_CODES.has(code))
      throw new Error(`T-Bank: error ${code} of ${method}`);
    return answer;
  };
  return { call, post };
}
