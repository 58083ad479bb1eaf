import { escapeLiteral } from 'pg';
import type { Bind } from '../../core/db/find-page.ts';

/** A bind for statements that take no parameters, as COPY: writes the value itself, escaped. */
export const literal: Bind = (value) =>
  escapeLiteral(Array.isArray(value) ? arrayText(value) : String(value));

/** A Postgres array: `{"a","b"}`. */
function arrayText(values: unknown[]): string {
  const items = values.map((value) => `"${String(value).replace(/["\\]/g, '\\$&')}"`);
  return `{${items.join(',')}}`;
}

/** An element of a constant array of texts: `labels[position]`, where the first position is 1. */
export const labelSql = (labels: string[], position: string): string =>
  `(${literal(labels)}::text[])[${position}]`;
