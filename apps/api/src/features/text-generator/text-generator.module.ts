import { Module } from '@nestjs/common';
import { Config } from '../../core/config.ts';
import { HttpWriter } from './http.writer.ts';
import { LocalWriter } from './local.writer.ts';
import { TextGeneratorController } from './text-generator.controller.ts';
import { TextGeneratorService } from './text-generator.service.ts';
import { NoWriter, TextWriter } from './text-writer.ts';

const WRITERS = { off: NoWriter, local: LocalWriter, http: HttpWriter };

@Module({
  controllers: [TextGeneratorController],
  providers: [
    TextGeneratorService,
    {
      provide: TextWriter,
      useFactory: (config: Config) => new WRITERS[config.textGenerator](config),
      inject: [Config],
    },
  ],
})
export class TextGeneratorModule {}
