import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Config } from '../config.ts';
import { AppError } from '../errors.ts';
import { uuidv7 } from '../uuid.ts';
import { errorBody } from './error-filter.ts';

/** Responds to requests that Node cannot parse with an error body of the contract. */
export function respondToParseErrors(server: Server, config: Config): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const isTooLarge = error.code === 'HPE_HEADER_OVERFLOW';
    const refusal = new AppError(isTooLarge ? 'headers_too_large' : 'bad_request');
    const body = JSON.stringify(errorBody(refusal, uuidv7(), config));
    socket.end(
      `HTTP/1.1 ${refusal.status} ${isTooLarge ? 'Request Header Fields Too Large' : 'Bad Request'}\r\n` +
        `content-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\n` +
        `cache-control: no-store\r\nx-content-type-options: nosniff\r\nconnection: close\r\n\r\n${body}`,
    );
  });
}
