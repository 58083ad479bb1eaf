import { ReaderProcess } from '../src/core/sheets/reader-process.ts';

ReaderProcess.program = process.env.READER_PROGRAM!;
