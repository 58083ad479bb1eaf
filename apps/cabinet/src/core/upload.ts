import {
  ApiError,
  NoAnswer,
  storage,
  urlOf,
  type ErrorBody,
  type StoredFile,
} from '@heliograph/contract';
import type { FilePreset } from '@heliograph/domain';
import { session } from './session/session.ts';

/** Stores a file, unless `signal` ends it. `fetch` reports no upload progress, so this uses XMLHttpRequest. */
export function upload(
  file: File,
  onProgress: (ratio: number) => void,
  signal?: AbortSignal,
  preset?: FilePreset,
): Promise<StoredFile> {
  const form = new FormData();
  form.append('file', file);
  const request = new XMLHttpRequest();
  request.open(storage.create.method, `/api${urlOf(storage.create, { query: { preset } })}`);
  request.setRequestHeader('authorization', session.token() ?? '');
  request.responseType = 'json';
  request.upload.onprogress = ({ loaded, total, lengthComputable }) => {
    if (lengthComputable) onProgress(loaded / total);
  };
  return new Promise((resolve, reject) => {
    request.onload = () => {
      if (request.status < 300) return resolve(request.response as StoredFile);
      if (request.status === 401) session.end('expired');
      reject(refusal(request));
    };
    request.onerror = () => reject(new NoAnswer());
    request.onabort = () => reject(signal?.reason);
    signal?.addEventListener('abort', () => request.abort());
    request.send(form);
  });
}

function refusal({ status, statusText, response }: XMLHttpRequest): ApiError {
  const unknown: ErrorBody = {
    error: status,
    code: status >= 500 ? 'unavailable' : 'bad_request',
    name: 'HttpError',
    message: statusText,
    requestId: '',
  };
  return new ApiError(status, (response as ErrorBody | null) ?? unknown, new Headers());
}
