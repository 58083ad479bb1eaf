import { ApiError, NoAnswer } from '@heliograph/contract';
import { queryOptions } from '@tanstack/react-query';
import { keysOf } from '../../core/query-keys.ts';

export interface PageEntry {
  category: string;
  file: string;
  title: string;
  /** The language that the page is written in. */
  locale: string;
}

/** The answer is no page of the documentation, such as the HTML page of a proxy. */
export class DocumentationError extends Error {
  override name = 'DocumentationError';
}

const isHtml = (answer: Response, text: string) =>
  answer.headers.get('content-type')?.includes('html') || /^\s*<(?:!doctype|html)/i.test(text);

async function read(path: string, signal: AbortSignal): Promise<{ text: string; locale: string }> {
  const answer = await fetch(path, { cache: 'no-cache', signal }).catch((error: unknown) => {
    throw signal.aborted ? error : new NoAnswer(error);
  });
  const text = await answer.text();
  if (!answer.ok) {
    const { status, statusText, headers } = answer;
    const body = { error: status, code: 'internal', name: 'HttpError', message: statusText };
    throw new ApiError(status, { ...body, requestId: '', docs: '' } as ApiError['body'], headers);
  }
  if (isHtml(answer, text)) throw new DocumentationError(path);
  return { text, locale: answer.headers.get('content-language') ?? '' };
}

/** Encoded slashes of an address would lead out of the documentation, to files that anybody may have uploaded. */
const isInside = (category: string, file: string): boolean =>
  [category, ...file.split('/')].every((part) => /^[\w-]+$/.test(part));

/** The file of a page, which is also the base of its links. */
export const sourceOf = (locale: string, category: string, file: string): string =>
  `/docs/${locale}/${category}/${file}.md`;

export const pageQuery = (locale: string, category: string, file: string) =>
  queryOptions({
    queryKey: keysOf('documentation').of('page', locale, category, file),
    queryFn: ({ signal }) => {
      if (!isInside(category, file)) throw new DocumentationError(file);
      return read(sourceOf(locale, category, file), signal);
    },
    staleTime: 5 * 60_000,
  });

export const pagesQuery = (locale: string) =>
  queryOptions({
    queryKey: keysOf('documentation').of('pages', locale),
    queryFn: async ({ signal }) => {
      const { text } = await read(`/docs/${locale}/index.json`, signal);
      return (JSON.parse(text) as { pages: PageEntry[] }).pages;
    },
    staleTime: 5 * 60_000,
  });
