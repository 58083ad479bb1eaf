import {
  ApiError,
  NoAnswer,
  storage,
  urlOf,
  type ErrorBody,
  type StoredFile,
} from '@heliograph/contract';
import type { FilePreset } from '@heliograph/domain';
import { withToken } from './api.ts';

/** Stores a file, unless `signal` ends it. `fetch` reports no upload progress, so this uses XMLHttpRequest. */
export async function upload(
  file: File,
  onProgress: (ratio: number) => void,
  signal?: AbortSignal,
  preset?: FilePreset,
): Promise<StoredFile> {
  const body = new FormData();
  body.append('file', file);
  const url = `/api${urlOf(storage.create, { query: { preset } })}`;
  const answer = await withToken((token) => {
    // It may have been cancelled while another token was waited for.
    signal?.throwIfAborted();
    return send(url, token, body, onProgress, signal);
  });
  if (answer.status >= 300) throw refusal(answer);
  return answer.response as StoredFile;
}

function send(
  url: string,
  token: string | null,
  body: FormData,
  onProgress: (ratio: number) => void,
  signal?: AbortSignal,
): Promise<XMLHttpRequest> {
  const request = new XMLHttpRequest();
  request.open(storage.create.method, url);
  request.setRequestHeader('authorization', token ?? '');
  request.responseType = 'json';
  request.upload.onprogress = ({ loaded, total, lengthComputable }) => {
    if (lengthComputable) onProgress(loaded / total);
  };
  return new Promise((resolve, reject) => {
    request.onload = () => resolve(request);
    request.onerror = () => reject(new NoAnswer());
    request.onabort = () => reject(signal?.reason);
    signal?.addEventListener('abort', () => request.abort(), { once: true });
    request.send(body);
  });
}

function refusal(request: XMLHttpRequest): ApiError {
  const { status, statusText, response } = request;
  const unknown: ErrorBody = {
    error: status,
    code: status >= 500 ? 'unavailable' : 'bad_request',
    name: 'HttpError',
    message: statusText,
    requestId: '',
    docs: '',
  };
  const wait = request.getResponseHeader('retry-after');
  const headers = new Headers(wait ? { 'retry-after': wait } : {});
  return new ApiError(status, (response as ErrorBody | null) ?? unknown, headers);
}
