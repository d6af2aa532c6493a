import { intentEvents } from '@davit/bus';
import { ServiceModule } from '@davit/service-kit';
import { Module } from '@nestjs/common';
import { z } from 'zod';

@Module({
  imports: [
    ServiceModule.register({
      name: 'spec-api',
      config: z.object({}),
      storedMessages: { ...intentEvents, answerIntents: true },
    }),
  ],
})
export class AppModule {}
