import { Injectable } from '@nestjs/common';

/** The time of the engine; tests put another in its place. */
@Injectable()
export class Clock {
  now(): Date {
    return new Date();
  }
}
