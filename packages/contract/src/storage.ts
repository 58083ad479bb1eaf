import { cleanFileTitle, FILE_PRESETS } from '@heliograph/domain';
import * as z from 'zod';
import { SHEET_NAME_LENGTH } from './contacts.ts';
import { endpoint, ById, Removed } from './endpoint.ts';
import { Id, many, QueryBoolean, QueryToken, text, Time, cleaned } from './fields.ts';
import { listQuery, page, Scoped } from './list.ts';

export const FilePreset = z.enum(FILE_PRESETS);

export const StoredFile = z.object({
  id: Id,
  /** Same value as `id`, for `from.key` of imports. */
  key: Id,
  title: z.string(),
  filename: z.string(),
  /** MIME type detected from the contents, otherwise as declared. */
  type: z.string(),
  size: z.int(),
  hash: z.string(),
  /** Duration of a recording, in started seconds. */
  seconds: z.int().nullable(),
  /** Metadata of the contents: size of images and videos in pixels, pages of a PDF, duration of recordings and videos in started seconds. */
  meta: z.object({
    width: z.int().optional(),
    height: z.int().optional(),
    duration: z.int().optional(),
    pages: z.int().optional(),
  }),
  isPublic: z.boolean(),
  /** Public URL, which gives access to the file without a session. */
  url: z.string().nullable(),
  expiredAt: Time.nullable(),
  locks: z.int(),
  OwnerId: Id,
  createdAt: Time,
  updatedAt: Time,
});
export type StoredFile = z.infer<typeof StoredFile>;

/** Seconds for which the link of a download ticket works. */
export const TICKET_SECONDS = 900;

/** A link to one file for what cannot send a header: the browser's own links, images and players. */
export const DownloadTicket = z.object({ url: z.string(), expiresAt: Time });
export type DownloadTicket = z.infer<typeof DownloadTicket>;

/** Bytes of the account's files, and its quota; `limit` is null without one. */
export const StorageUsage = z.object({ used: z.number(), limit: z.number().nullable() });
export type StorageUsage = z.infer<typeof StorageUsage>;

/** The beginning of a file: the rows of one sheet, or a text. */
export const FilePreview = z.object({
  kind: z.enum(['table', 'text']),
  text: z.string().nullable(),
  /** Names of the sheets of a workbook. */
  sheets: z.array(z.string()),
  sheet: z.string().nullable(),
  rows: z.array(z.array(z.string())),
  /** The file has more than this. */
  isTruncated: z.boolean(),
});
export type FilePreview = z.infer<typeof FilePreview>;

export const storage = {
  find: endpoint('GET', '/storage', {
    query: listQuery({
      order: ['createdAt', 'size', 'title'],
      filter: { type: many(text(100)), preset: FilePreset, id: many(Id), OwnerId: Id },
      range: ['createdAt'],
      search: true,
      limit: 17,
    }),
    response: page(StoredFile),
    can: 'storage.get',
    owner: 'read',
  }),
  usage: endpoint('GET', '/storage/usage', {
    summary: 'Retrieve the storage quota and its usage',
    response: StorageUsage,
    can: 'storage.get',
  }),
  /** The contents as an attachment, or the description with `return=meta`. */
  get: endpoint('GET', '/storage/:id', {
    params: ById,
    query: Scoped,
    response: StoredFile,
    can: 'storage.get',
    download: true,
  }),
  /** The first rows of a table, or the beginning of a text. */
  preview: endpoint('GET', '/storage/:id/preview', {
    summary: 'Retrieve the beginning of a table or a text',
    params: ById,
    query: z.strictObject({ sheet: text(SHEET_NAME_LENGTH).optional(), token: QueryToken }),
    response: FilePreview,
    can: 'storage.get',
    cost: 'file',
  }),
  ticket: endpoint('GET', '/storage/:id/ticket', {
    summary: 'Create a download link of a file',
    params: ById,
    response: DownloadTicket,
    can: 'storage.get',
  }),
  /** The bytes, for anyone who has an unexpired ticket of the file. */
  getByTicket: endpoint('GET', '/storage/:id/content', {
    summary: 'Read a file by a download link',
    params: ById,
    query: z.object({ ticket: text(200) }),
    anyQuery: true,
    response: StoredFile,
    can: 'public',
    download: true,
  }),
  create: endpoint('POST', '/storage', {
    quota: 'storage',
    /** With a preset, files of other types are refused. */
    query: z.strictObject({
      isPublic: QueryBoolean.optional(),
      preset: FilePreset.optional(),
      token: QueryToken,
    }),
    response: StoredFile,
    status: 201,
    can: 'storage.create',
    upload: true,
  }),
  /** The contents of a public file. */
  getPublic: endpoint('GET', '/storage/public/:key', {
    summary: 'Download a public file',
    params: z.object({ key: text(100) }),
    anyQuery: true,
    response: StoredFile,
    can: 'public',
    cost: 'lookup',
    download: true,
  }),
  update: endpoint('PUT', '/storage/:id', {
    params: ById,
    /** A file made private loses its public URL. Made public again, it gets a new one. */
    body: z
      .strictObject({
        title: cleaned(200, cleanFileTitle).min(1),
        isPublic: z.boolean(),
        /** In the future; refused while something uses the file. */
        expiredAt: Time.nullable(),
      })
      .partial(),
    response: StoredFile,
    can: 'storage.update',
    alias: 'PATCH',
  }),
  remove: endpoint('DELETE', '/storage/:id', {
    params: ById,
    response: Removed,
    can: 'storage.remove',
  }),
};
