import { Global, Module } from '@nestjs/common';
import { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/environment.token.js';
import { loadMasterSecrets } from './master.secret.js';
import { SecretsService } from './secrets.service.js';

@Global()
@Module({
  providers: [
    {
      provide: SecretsService,
      inject: [ENVIRONMENT],
      useFactory: (environment: Environment) => new SecretsService(loadMasterSecrets(environment)),
    },
  ],
  exports: [SecretsService],
})
export class SecretsModule {}
