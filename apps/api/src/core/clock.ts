import { Injectable } from '@nestjs/common';

/** The current time; replaced in tests. */
@Injectable()
export class Clock {
  now(): Date {
    return new Date();
  }
}
