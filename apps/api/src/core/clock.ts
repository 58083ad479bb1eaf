import { Injectable } from '@nestjs/common';
import { currentTime } from './time.ts';

/** The current time; replaced in tests. */
@Injectable()
export class Clock {
  now(): Date {
    return new Date(currentTime());
  }
}

export const secondsAfter = (from: Date, seconds: number): Date =>
  new Date(from.getTime() + seconds * 1000);
