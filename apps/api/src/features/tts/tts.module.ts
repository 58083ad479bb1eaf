import { Module } from '@nestjs/common';
import { Config } from '../../core/config.ts';
import { StorageModule } from '../storage/storage.module.ts';
import { EspeakSynthesizer } from './espeak.synthesizer.ts';
import { HttpSynthesizer } from './http.synthesizer.ts';
import { SimulatedSpeech } from './simulated-speech.ts';
import { NoSynthesizer, SpeechSynthesizer } from './synthesizer.ts';
import { TtsController } from './tts.controller.ts';
import { TtsService } from './tts.service.ts';

const SYNTHESIZERS = {
  off: NoSynthesizer,
  local: SimulatedSpeech,
  espeak: EspeakSynthesizer,
  http: HttpSynthesizer,
};

@Module({
  imports: [StorageModule],
  controllers: [TtsController],
  providers: [
    TtsService,
    {
      provide: SpeechSynthesizer,
      useFactory: (config: Config) => new SYNTHESIZERS[config.tts](config),
      inject: [Config],
    },
  ],
})
export class TtsModule {}
